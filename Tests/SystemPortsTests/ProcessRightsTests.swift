import CLinux
import Glibc
import SystemPorts
import Testing

@Suite("The rights and the memory of this process")
struct ProcessRightsTests {
  @Test("L-53 A process that has keys leaves no core dump, and its memory cannot be read")
  func memory() {
    ProcessRights.protectMemory()

    var limit = rlimit()
    #expect(getrlimit(__rlimit_resource_t(UInt32(RLIMIT_CORE.rawValue)), &limit) == 0)
    #expect(limit.rlim_cur == 0 && limit.rlim_max == 0)
    #expect(fp_is_dumpable() == 0)
  }
}
