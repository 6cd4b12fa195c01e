/** Returns the line with the link that opens the dashboard and signs in once; none where it is not built. */
export async function dashboardLink(url: string, adminToken: string): Promise<readonly string[]> {
  const page = await fetch(`${url}/dashboard/`, { method: 'HEAD' })
  if (page.status !== 200) return []
  const answer = await fetch(`${url}/pass/code`, {
    method: 'POST',
    headers: { admintoken: adminToken, 'content-type': 'application/json' },
    body: '{}',
  })
  const { code } = (await answer.json()) as { code?: string }
  return [`Dashboard: ${url}/dashboard/${code === undefined ? '' : `#welcome=${code}`}`]
}
