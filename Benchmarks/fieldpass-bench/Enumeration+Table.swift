extension Enumeration {
  func print() {
    var table = Table(
      "The same answer to different accounts, \(count) times each, in random order",
      "", "median ms", "P95 ms", "difference ms", "Kolmogorov–Smirnov p"
    )
    for kind in Enumeration.Kind.allCases {
      let sample = samples[kind] ?? Sample()
      let twin = samples[kind.twin] ?? Sample()
      table.add(
        kind.rawValue, Figure.milliseconds(sample.median),
        Figure.milliseconds(sample.quantile(0.95)),
        kind == kind.twin ? "" : Figure.fixed((sample.median - twin.median) * 1000, decimals: 3),
        kind == kind.twin ? "" : Figure.fixed(sample.kolmogorovSmirnov(twin), decimals: 3)
      )
    }
    table.print()
  }

  var bars: [Bar] {
    [
      bar("T-03 L-12 wrong password: known, unknown, deactivated equal", of: .known),
      bar("T-03 L-12 locked: known and unknown equal", of: .locked),
      bar("T-03 L-12 forgot password: known and unknown equal", of: .forgotten),
    ]
  }

  private func bar(_ name: String, of twin: Kind) -> Bar {
    let others = Kind.allCases.filter { $0.twin == twin && $0 != twin }
    let base = samples[twin] ?? Sample()
    let p = others.map { (samples[$0] ?? Sample()).kolmogorovSmirnov(base) }.min() ?? 0
    return Bar(name, "p \(Figure.fixed(p, decimals: 3))", isMet: p >= Bar.enumerationP)
  }
}
