import { createHash, timingSafeEqual } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { packageVersion } from '../../../lib/package-root.js'
import { GatewayError } from '../../../schemas/errors.js'
import type { HealthReply, ReadyReply } from '../../../schemas/generated.js'
import { Answer, openRoute, type Route } from '../../route.js'

/** Serves the page that shows the OpenAPI document. Everything on it comes from this server. */

const files: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
}

const folder = path.dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'))

// Allows styles that the page sets from its script, and data URLs for its icons.
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "frame-ancestors 'none'; base-uri 'none'; form-action 'none'"

/** Colours that can be read: those of the page have too little contrast. */
const looks = `
${Object.entries({ get: '#1f5fa8', post: '#18704a', put: '#8a5300', delete: '#b4232a', patch: '#0b6572' })
  .map(([method, colour]) => `.swagger-ui .opblock.opblock-${method} .opblock-summary-method { background: ${colour} }`)
  .join('\n')}
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5560 }
.swagger-ui .btn.authorize { border-color: #18704a; color: #18704a }
.swagger-ui .btn.authorize svg { fill: #18704a }
.swagger-ui .info .url { color: #1f5fa8 }
.swagger-ui .btn.execute { border-color: #1f5fa8; background: #1f5fa8 }
.swagger-ui .btn.cancel, .swagger-ui .parameter__name.required span, .swagger-ui .parameter__name.required::after { color: #b4232a }
.swagger-ui .parameter__in, .swagger-ui .parameter__extension, .swagger-ui .response-col_links, .swagger-ui .prop-format { color: #5a5f66 }
`

// Finds the document beside the page, wherever a proxy has put both. Typed tokens stay until the tab is closed. The page works out a document of
// OpenAPI 3.1 as a whole before it shows anything, for seconds, and one of 3.0 part by part. So it gets the same document in the words of 3.0.
// Its fields have no names for a screen reader; they get those that stand above or beside them.
const start = `const here = document.currentScript.src
const KEPT = 'posthorn.docs.authorized'
const SCHEMAS = '#/components/schemas/'
const WORDS = { SELECT: 'Choice', INPUT: 'Value', TEXTAREA: 'Body' }

window.addEventListener('load', () => {
  const address = new URL('../openapi.json', here).href
  const ui = SwaggerUIBundle({
    url: address,
    responseInterceptor: (answer) => (answer.ok && answer.url === address ? older(answer) : answer),
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

/** Changes the answer with the document of 3.1 into one of 3.0. */
function older(answer) {
  const document = JSON.parse(answer.text)
  lower(document)
  answer.text = JSON.stringify({ ...document, openapi: '3.0.3' })
  return answer
}

/** Changes schemas of 3.1 into those of 3.0: one type each, one example, and no words beside a reference. */
function lower(part) {
  if (typeof part !== 'object' || part === null) return
  for (const [name, inner] of Object.entries(part)) if (name !== 'example') lower(inner)
  if (Array.isArray(part.type)) {
    const types = part.type.filter((type) => type !== 'null')
    if (types.length < part.type.length) part.nullable = true
    delete part.type
    if (types.length === 1) part.type = types[0]
    else part.anyOf ??= types.map((type) => ({ type }))
  }
  if (Array.isArray(part.examples)) {
    part.example ??= part.examples[0]
    delete part.examples
  }
  if (typeof part.const === 'string' || typeof part.const === 'boolean') {
    part.enum = [part.const]
    delete part.const
  }
  const { $ref } = part
  if (typeof $ref === 'string' && $ref.startsWith(SCHEMAS) && Object.keys(part).length > 1) {
    delete part.$ref
    part.allOf = [{ $ref }]
  }
}

/** Gives names, levels and keys to what is drawn without, and takes links out of buttons: the address follows what is open anyway. */
function complete() {
  const each = (selector, change) => document.querySelectorAll(selector).forEach(change)
  each('select:not([aria-label]), input:not([type=file], [aria-label]), textarea:not([aria-label])', (field) => {
    if (field.tagName === 'INPUT' && field.labels.length > 0) return
    const row = field.closest('tr')?.querySelector('.parameter__name')
    field.ariaLabel = row?.firstChild?.textContent?.trim() || field.placeholder || WORDS[field.tagName]
  })
  each('.opblock-summary-control a[href]', (link) => link.removeAttribute('href'))
  each('h3.opblock-tag:not([aria-level])', (heading) => (heading.ariaLevel = '2'))
  each('h4:not([aria-level]), h5:not([aria-level])', (heading) => (heading.ariaLevel = heading.closest('.opblock-body') ? '3' : '2'))
  each('.microlight:not([tabindex])', (code) => (code.tabIndex = 0))
  each('.information-container:not([role]), .scheme-container:not([role])', (part) => {
    part.role = 'region'
    part.ariaLabel = part.matches('.scheme-container') ? 'Server and tokens' : 'About'
  })
}
new MutationObserver(complete).observe(document.documentElement, { childList: true, subtree: true })
`

const showDocumentation = openRoute({
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

const showDocumentationFile = openRoute({
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
<style>${looks}</style>
</head>
<body>
<div id="page"></div>
<script src="${base}/swagger-ui-bundle.js"></script>
<script src="${base}/start.js"></script>
</body>
</html>
`
}

const tellMetrics = openRoute({
  method: 'GET',
  path: '/metrics',
  name: 'tellMetrics',
  area: 'Service',
  summary: 'Metrics for Prometheus; if METRICS_TOKEN is set, callers must send it as a bearer token',
  produces: 'text/plain',
  errors: ['INVALID_TOKEN'],
  async handle({ headers }, { ports, options }): Promise<Answer> {
    const { metricsToken } = options
    if (metricsToken !== undefined && !isSame(headers.authorization ?? '', `Bearer ${metricsToken}`)) {
      throw new GatewayError('INVALID_TOKEN')
    }
    const { contentType, body } = await ports.health.metrics()
    return new Answer({ type: contentType, body })
  },
})

/** Compares in constant time, whatever the lengths. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash('sha256').update(text).digest()
  return timingSafeEqual(hash(given), hash(expected))
}

const tellReadiness = openRoute({
  method: 'GET',
  path: '/ready',
  name: 'tellReadiness',
  area: 'Service',
  summary: 'Check whether this node can serve calls; 503 with the reasons if not',
  schema: 'service/ready.json',
  errors: ['STORE_UNAVAILABLE'],
  async handle(_call, { ports }): Promise<Answer> {
    const { ready, reasons } = await ports.health.ready()
    const reply: ReadyReply = { ready, reasons: [...reasons] }
    return new Answer({
      status: ready ? 200 : 503,
      type: 'application/json; charset=utf-8',
      body: JSON.stringify(reply),
    })
  },
})

const tellHealth = openRoute({
  method: 'GET',
  path: '/health',
  name: 'tellHealth',
  area: 'Service',
  summary: 'Check that the process is alive',
  schema: 'service/health.json',
  errors: [],
  async handle(): Promise<HealthReply> {
    return { status: 'ok', version: packageVersion, uptimeSeconds: Math.floor(process.uptime()) }
  },
})

const tellOpenApi = openRoute({
  method: 'GET',
  path: '/openapi.json',
  name: 'tellOpenApi',
  area: 'Service',
  summary: 'This interface as an OpenAPI 3.1 document',
  produces: 'application/json',
  errors: [],
  handle: ({ headers }, { openApi }): Promise<Answer> => openApi(headers),
})

/** Routes of the area, in the order of the documentation. */
export const serviceRoutes: readonly Route[] = [
  tellHealth,
  tellReadiness,
  tellMetrics,
  tellOpenApi,
  showDocumentation,
  showDocumentationFile,
]
