import SignInEngine
import SignInFlow
import SignInScreens
import WebCore

nonisolated(unsafe) private var core = WebCore<DashboardHome>()

@_expose(wasm, "core_input") @c(core_input)
public func coreInput(_ size: Int32) -> UnsafeMutableRawPointer { core.makeInput(size) }

@_expose(wasm, "core_attach") @c(core_attach)
public func coreAttach(_ size: Int32) { core.attach(size) }

@_expose(wasm, "core_handle") @c(core_handle)
public func coreHandle(_ size: Int32) -> Int32 { core.handle(size) }

@_expose(wasm, "core_output") @c(core_output)
public func coreOutput() -> UnsafeRawPointer? { core.outputAddress }
