/** Returns lines with the link that opens the dashboard and signs in once, and how long it lasts; none where it is not built. */
export async function dashboardLink(url: string, adminToken: string): Promise<readonly string[]> {
  const page = await fetch(`${url}/dashboard/`, { method: 'HEAD' })
  if (page.status !== 200) return []
  const answer = await fetch(`${url}/pass/code`, {
    method: 'POST',
    headers: { admintoken: adminToken, 'content-type': 'application/json' },
    body: '{}',
  })
  const { code } = (await answer.json()) as { code?: string }
  if (code === undefined) return [`Dashboard: ${url}/dashboard/`]
  return [
    `Dashboard: ${url}/dashboard/#welcome=${code}`,
    `  The link signs in once, within ten minutes. A new one: POSTHORN_URL=${url} POSTHORN_ADMIN_TOKEN=${adminToken} npx posthorn link`,
  ]
}
