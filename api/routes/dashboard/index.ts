import { Answer, openRoute, type Route } from '../../route.js'
import { showDashboardView } from './show-view.js'

/** Answers `/dashboard/` with the page. Redirects `/dashboard`, from which relative links would not lead to the files. */
const showDashboard = openRoute({
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

const showDashboardFile = openRoute({
  method: 'GET',
  path: '/dashboard/assets/:file',
  name: 'showDashboardFile',
  area: 'Dashboard',
  summary: 'A part of the dashboard, whose name changes with its content',
  hidden: true,
  errors: ['NOT_FOUND'],
  async handle({ params, headers }, { dashboard }): Promise<Answer> {
    return await dashboard.file(`assets/${params.file}`, headers['accept-encoding'])
  },
})

/** Routes of the area. The parts of the page come before its views, whose path fits every address below. */
export const dashboardRoutes: readonly Route[] = [showDashboard, showDashboardFile, showDashboardView]
