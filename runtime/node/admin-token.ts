/** Shows a new administrator's token on the terminal, once, to the person who started the gateway. It never goes to the log. */
export function announceAdminToken(token: string, file: string, url: string): void {
  const line = '─'.repeat(72)
  process.stderr.write(
    [
      '',
      line,
      `  Posthorn is running.  API page:  ${url}/docs`,
      '',
      `  Administrator's token:  ${token}`,
      `  It is shown only now. It is kept in ${file}.`,
      line,
      '',
      '',
    ].join('\n'),
  )
}
