/** What a server counts at a moment. Rates follow from two of them. */

/**
 * All as decimal numbers, empty if unknown. at: microseconds since 1970 by the server's clock. cpuBusy, cpuAll: what its processors have worked and
 * could have worked since the boot, in ticks. load: of 1, 5 and 15 minutes. Memory and disk in bytes. netIn, netOut: bytes since the boot, of the
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
