import { type Answer, openRoute } from '../../route.js'

export const showDashboardFile = openRoute({
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
