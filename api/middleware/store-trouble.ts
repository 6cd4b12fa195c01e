/** Whether an error says that PostgreSQL is away or full, and not that a statement of ours is wrong. */
export function isStoreTrouble(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as NodeJS.ErrnoException
  // Classes of PostgreSQL, appendix A: 08 connection, 53 no resources (disk full, too many connections), 57P shutdown, 57014 timeout.
  if (code !== undefined && /^(08...|53...|57P..|57014)$/.test(code)) return true
  // The only connections that calls of ours make without a guard of their own are those of `pg`.
  if (syscall === 'connect' || code === 'ECONNRESET' || code === 'EPIPE') return true
  // `pg` gives these no code (pg/lib/client.js, pg-pool/index.js).
  return /^(Connection terminated|timeout exceeded when trying to connect|timeout expired|Query read timeout|Client (was closed|has encountered))/.test(
    error.message,
  )
}
