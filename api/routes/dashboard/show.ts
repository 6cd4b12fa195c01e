import { Answer, openRoute } from '../../route.js'

/** Answers `/dashboard/` with the page. Redirects `/dashboard`, from which relative links would not lead to the files. */
export const showDashboard = openRoute({
  method: 'GET',
  path: '/dashboard',
  name: 'showDashboard',
  area: 'Dashboard',
  summary: 'The dashboard as a page',
  produces: 'text/html',
  hidden: true,
  errors: ['NOT_FOUND'],
  async handle({ path, headers }, { dashboard }): Promise<Answer> {
    if (path.endsWith('/') || !dashboard.isBuilt) return dashboard.page(path, headers['if-none-match'])
    return new Answer({ status: 302, body: '', type: 'text/plain', headers: { Location: './dashboard/' } })
  },
})
