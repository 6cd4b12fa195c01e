/** Returns a sentence for operators: how far the clock of Chatwoot is from that of the gateway's database, and what to do. */
export function clockDifference(aheadMs: number): string {
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  const where = aheadMs > 0 ? 'ahead of' : 'behind'
  return `The time of Chatwoot is ${seconds} seconds ${where} that of the gateway's database; at most 300 are accepted. Set both clocks, for example by NTP.`
}
