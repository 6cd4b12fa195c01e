import { GatewayError } from '../../../schemas/errors.js'
import { Answer, openRoute, type Route } from '../../route.js'

/** Ending of a file that a page may ask for. A JID, which a view may have in its address, ends in none of them. */
// Bound: 1,048,576, a body or header of a request.
const FILE = /\.(js|mjs|css|map|json|svg|png|ico|webp|woff2|txt|xml|html|webmanifest)$/i

/** Answers an address of a view with the page. A file that the build does not have is 404, never the page. */
const showDashboardView = openRoute({
  method: 'GET',
  path: '/dashboard/*view',
  name: 'showDashboardView',
  area: 'Dashboard',
  summary: 'The dashboard, opened at one of its views',
  produces: 'text/html',
  hidden: true,
  errors: ['NOT_FOUND'],
  async handle({ path, headers }, { dashboard }): Promise<Answer> {
    const name = path.slice('/dashboard/'.length)
    if (dashboard.has(name)) return await dashboard.file(name, headers['accept-encoding'])
    // Bound: 1,048,576, a body or header of a request.
    const isMissing = dashboard.isBuilt && (/^assets(\/|$)/i.test(name) || FILE.test(name))
    if (isMissing) throw new GatewayError('NOT_FOUND')
    return dashboard.page(path, headers['if-none-match'])
  },
})

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
