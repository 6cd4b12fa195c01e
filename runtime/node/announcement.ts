/** Facts for the person who started the gateway, for the terminal alone: nothing of it is in the log. */
export interface Announcement {
  /** Address of the API, without a slash at its end. */
  readonly url: string
  readonly hasDashboard: boolean
  /** A new administrator's token, which is shown once. Null when the person has it, or has chosen it. */
  readonly newToken: { readonly token: string; readonly file: string; readonly code: string | null } | null
}

/** Returns the address of the dashboard, with the code of the first start if there is one. */
export function dashboardAddress({ url, newToken }: Pick<Announcement, 'url' | 'newToken'>): string {
  return `${url}/dashboard/${newToken?.code == null ? '' : `#welcome=${newToken.code}`}`
}

/** Returns the lines for the terminal, empty when there is nothing to show. */
export function announcement({ url, hasDashboard, newToken }: Announcement): string {
  const hasCode = newToken?.code != null
  const lines = [
    ...(hasDashboard ? [`  Dashboard: ${dashboardAddress({ url, newToken })}`] : []),
    ...(!hasCode || !hasDashboard ? [] : ['  The link signs in once, within ten minutes.']),
    `  API page:  ${url}/docs`,
    ...(newToken === null
      ? []
      : ['', `  Administrator's token:  ${newToken.token}`, `  It is shown only now. It is kept in ${newToken.file}.`]),
  ]
  const line = '─'.repeat(72)
  return ['', line, ...lines, line, '', ''].join('\n')
}
