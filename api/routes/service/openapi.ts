import { type Answer, openRoute } from '../../route.js'

export const tellOpenApi = openRoute({
  method: 'GET',
  path: '/openapi.json',
  name: 'tellOpenApi',
  area: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  produces: 'application/json',
  errors: [],
  handle: ({ headers }, { openApi }): Promise<Answer> => openApi(headers),
})
