/** The counters of a server at one moment. Rates are computed from two of them. */

/**
 * All as decimal numbers, empty if unknown. at: microseconds since 1970 by the server's clock. cpuBusy, cpuAll: ticks that its processors have worked
 * and could have worked since the boot. load: of 1, 5 and 15 minutes. Memory and disk in bytes. netIn, netOut: bytes since the boot, of the
 * interfaces that lead elsewhere.
 */
export type Vitals = {
  at: string
  cpuBusy: string
  cpuAll: string
  cores: string
  load: readonly string[]
  memFree: string
  memTotal: string
  diskUsed: string
  diskTotal: string
  netIn: string
  netOut: string
}
