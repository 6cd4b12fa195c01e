// Ours: errors of our stores.

/** Tells whether an error means that PostgreSQL is away or full. An error of a wrong statement does not. */
export function isStoreTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // Error classes of PostgreSQL (appendix A): 08 connection, 53 no resources (disk full, too many connections), 57P shutdown, 57014 timeout.
  // While a copy is put in its place: 40001 and 40P01, a transaction that was ended for another; 42P01, 3F000 and XX000, a table that is another one now.
  if (code !== undefined && /^(08...|53...|57P..|57014|40001|40P01|42P01|3F000|XX000)$/.test(code)) return true
  if (code === '0A000' && error.message.startsWith('cached plan must not change')) return true
  // Only connections of `pg` reach here without a guard of their own.
  if (syscall === 'connect' || code === 'ECONNRESET' || code === 'EPIPE') return true
  // `pg` gives these no code (pg/lib/client.js, pg-pool/index.js).
  return /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed|has encountered))/.test(
    error.message,
  )
}
