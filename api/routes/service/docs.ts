/** Serves the page that shows the OpenAPI document. Everything on it comes from this server. */
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { GatewayError } from '../../../schemas/errors.js'
import { Answer, openRoute } from '../../route.js'

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

// Allows styles that the page sets from its script, and data URLs for its icons.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

// Finds the document beside the page, wherever a proxy has put both. Typed tokens stay until the tab is closed. The list of schemas opens by a
// click, since the page works out each open one for seconds.
const start = `const here = document.currentScript.src
const KEPT = 'posthorn.docs.authorized'
window.addEventListener('load', () => {
  const ui = SwaggerUIBundle({
    url: new URL('../openapi.json', here).href,
    dom_id: '#page',
    validatorUrl: null,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    onComplete() {
      const kept = sessionStorage.getItem(KEPT)
      if (kept !== null) ui.authActions.authorize(JSON.parse(kept))
    },
  })
  window.addEventListener('pagehide', () => {
    sessionStorage.setItem(KEPT, JSON.stringify(ui.authSelectors.authorized()))
  })
})
`

export const showDocumentation = openRoute({
  method: 'GET',
  path: '/docs',
  name: 'showDocumentation',
  area: 'Service',
  summary: 'This interface as a page to read and try',
  produces: 'text/html',
  errors: [],
  async handle({ path: asked }): Promise<Answer> {
    const base = asked.endsWith('/') ? '.' : 'docs'
    return new Answer({
      type: 'text/html; charset=utf-8',
      body: page(base),
      headers: { 'Content-Security-Policy': policy },
    })
  },
})

export const showDocumentationFile = openRoute({
  method: 'GET',
  path: '/docs/:file',
  name: 'showDocumentationFile',
  area: 'Service',
  summary: 'A part of that page',
  hidden: true,
  errors: ['NOT_FOUND'],
  async handle({ params }): Promise<Answer> {
    const file = params.file ?? ''
    const headers = { 'Cache-Control': 'public, max-age=3600' }
    if (file === 'start.js') return new Answer({ type: 'text/javascript; charset=utf-8', body: start, headers })
    const type = Object.hasOwn(files, file) ? files[file] : undefined
    if (type === undefined) throw new GatewayError('NOT_FOUND')
    return new Answer({ type, body: await readFile(path.join(folder, file)), headers })
  },
})

function page(base: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Posthorn</title>
<link rel="stylesheet" href="${base}/swagger-ui.css">
</head>
<body>
<div id="page"></div>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/start.js"></script>
</body>
</html>
`
}
