import { GatewayError } from '../../../schemas/errors.js'
import { type Answer, openRoute } from '../../route.js'

// Bound: 1,048,576, a body or header of a request.

/** Ending of a file that a page may ask for. A JID, which a view may have in its address, ends in none of them. */
const FILE = /\.(js|mjs|css|map|json|svg|png|ico|webp|woff2|txt|xml|html|webmanifest)$/i

/** Answers an address of a view with the page. A file that the build does not have is 404, never the page. */
export const showDashboardView = openRoute({
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
    const isMissing = dashboard.isBuilt && (/^assets(\/|$)/i.test(name) || FILE.test(name))
    if (isMissing) throw new GatewayError('NOT_FOUND')
    return dashboard.page(path, headers['if-none-match'])
  },
})
