import { Answer, openRoute } from '../../route.js'

export const tellOpenApi = openRoute({
  method: 'GET',
  path: '/openapi.json',
  name: 'tellOpenApi',
  area: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  produces: 'application/json',
  errors: [],
  async handle(_call, { openApi }): Promise<Answer> {
    return new Answer({ type: 'application/json; charset=utf-8', body: openApi() })
  },
})
