/** libsignal prints sessions, private keys included, to the console; this drops those lines and lets all others through. */
const NOISE =
  /^(Closing (session|open session|stale)|Opening session|Removing old closed|Session already|Migrating session|V1 session|Decrypted message with closed|Failed to decrypt|Session error)/

let quiet = false

export function quietLibsignal(): void {
  if (quiet) return
  quiet = true
  const { console } = globalThis
  for (const level of ['info', 'warn', 'error'] as const) {
    const print = console[level].bind(console)
    console[level] = (...values: unknown[]) => {
      if (typeof values[0] !== 'string' || !NOISE.test(values[0])) print(...values)
    }
  }
}
