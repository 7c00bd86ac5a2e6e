extension RiderLoad {
  func print(beside limits: MachineLimits) {
    var table = Table(
      "Riders, \(Self.connections) connections: each request alone, with proofs made beforehand",
      "", "per second", "of the limit, own commits", "of the limit, shared commits", "P50 ms",
      "P95 ms", "P99 ms",
      "server ms each", "calls"
    )
    for call in Self.calls {
      guard let stage = stages[call] else { continue }
      table.add(
        call.rawValue, Figure.count(stage.rate),
        Figure.percent(stage.rate / limits.rate(of: call, commits: limits.commits)),
        Figure.percent(stage.rate / limits.rate(of: call, commits: limits.groupedOperations)),
        Figure.milliseconds(stage.times.median),
        Figure.milliseconds(stage.times.quantile(0.95)),
        Figure.milliseconds(stage.times.quantile(0.99)),
        Figure.milliseconds(stage.processorSecondsEach), "\(stage.times.count)"
      )
    }
    table.print()
  }

  func printMemory() {
    var table = Table("Memory of the server after a number of sign-ins of riders", "", "MiB")
    for mark in memory {
      table.add(Figure.count(Double(mark.signIns)), Figure.fixed(mark.mebibytes, decimals: 1))
    }
    table.print()
  }

  var memoryBar: Bar {
    let held = memory.map { $0.mebibytes }
    let growth = (held.last ?? 0) / max(held.first ?? 0, 1)
    return Bar(
      "L-13 memory after 100,000 sign-ins: at most 10 % more than after 10,000",
      Figure.times(growth), isMet: held.count > 1 && growth <= Bar.memoryGrowth
    )
  }

  func bars(beside limits: MachineLimits) -> [Bar] {
    let request = stages[.request] ?? Stage()
    let code = stages[.code] ?? Stage()
    let token = stages[.token] ?? Stage()
    let all = [request, code, token]
    let whole = all.reduce(0) { $0 + $1.times.quantile(0.95) }
    let perCore = 1 / all.reduce(0) { $0 + $1.processorSecondsEach }
    return [
      otpBar("R-09 OTP request: P95 under 200 ms", request, Bar.otpSeconds),
      otpBar("R-09 OTP verify: P95 under 200 ms", code, Bar.otpSeconds),
      otpBar("R-09 OTP request at 64 connections: P95 under 20 ms", request, Bar.busyOTPSeconds),
      otpBar("R-09 OTP verify at 64 connections: P95 under 20 ms", code, Bar.busyOTPSeconds),
      shareBar(
        "R-09 OTP request: half of the limit by commits and signatures", request, .request, limits),
      shareBar("R-09 OTP verify: half of the limit by commits and signatures", code, .code, limits),
      Bar(
        "R-09 complete rider sign-ins, 64 connections: 1,500 per second and core",
        Figure.count(perCore),
        isMet: all.allSatisfy { $0.times.count > 0 } && perCore >= Bar.riderSignInsPerCore),
      Bar(
        "R-09 complete rider login, sum of the P95 of its requests: under 3 s",
        Figure.milliseconds(whole), isMet: whole > 0 && whole < Bar.riderLoginSeconds
      ),
    ]
  }

  private func otpBar(_ name: String, _ stage: Stage, _ limit: Double) -> Bar {
    let seconds = stage.times.quantile(0.95)
    return Bar(name, Figure.milliseconds(seconds), isMet: seconds > 0 && seconds < limit)
  }

  private func shareBar(
    _ name: String, _ stage: Stage, _ call: Phone.Call, _ limits: MachineLimits
  ) -> Bar {
    let share = stage.rate / limits.rate(of: call, commits: limits.commits)
    return Bar(name, Figure.percent(share), isMet: share >= Bar.shareOfLimit)
  }
}
