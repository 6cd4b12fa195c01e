/** Writes the page of the dialect from its routes: what is there, what differs, and what is not there. */
import type { DialectRoute } from '../api/dialects/dialect.js'
import { evolution } from '../api/dialects/evolution/index.js'
import { evolutionEventNames } from '../schemas/dialects/evolution/event-names.js'
import { eventSamples } from './evolution-samples.js'

/** The text of `docs/reference/evolution-api.md`. */
export function evolutionPage(): string {
  const { title, version, base, routes, gaps } = evolution
  const areas = [...new Set(routes.map(({ area }) => area))]
  const sections = areas.flatMap((area) => [
    `## ${area}`,
    '',
    createTable(routes.filter((route) => route.area === area)),
    '',
  ])
  return [
    `# The interface of ${title}`,
    '',
    'Made by `npm run generate` from `api/dialects/evolution`; change that.',
    '',
    `With the setting \`DIALECTS=evolution\` a node answers below \`${base}\` as ${title} ${version} does. Each operation calls those of Posthorn that the`,
    'table names: their checks, limits and audit hold. The OpenAPI document is at `GET /evolution/openapi.json`. How to move a client:',
    '[five minutes from Evolution API](../guides/evolution-drop-in.md).',
    '',
    'Keys: `apikey` of the administrator (`ADMIN_TOKEN`) or of the instance. Errors: `{ "status", "error", "response": { "message" } }`.',
    '',
    ...sections,
    '## Not there',
    '',
    'These answer 501 with the sentence. Any other path answers 404.',
    '',
    markdownTable(
      ['paths', 'what', 'instead'],
      gaps.map(({ path, summary, instead }) => [`\`${path}\``, summary, instead]),
    ),
    '',
    '## Events of webhooks',
    '',
    'Bodies: `event`, `instance`, `data`, `destination`, `date_time`, `sender`, `server_url`, `apikey`. Deliveries are those of all webhooks',
    '([webhooks](../guides/webhooks.md)): stored, ordered, tried again, and kept as dead letters.',
    '',
    markdownTable(
      ['in settings', 'in bodies', 'made from our events'],
      evolutionEventNames.map(({ name, wire, kinds }) => [
        `\`${name}\``,
        `\`${wire}\``,
        kinds.length === 0 ? 'accepted, never emitted' : kinds.map((kind) => `\`${kind}\``).join(', '),
      ]),
    ),
    '',
    '### What differs in their data',
    '',
    'Compared with samples of the original, field by field, in `schemas/dialects/evolution/events.test.ts`.',
    '',
    markdownTable(
      ['event', 'field of `data`', 'why'],
      eventSamples.flatMap(({ event, differs = {} }) =>
        Object.entries(differs).map(([field, why]) => [`\`${event}\``, `\`${field}\``, why]),
      ),
    ),
    '',
  ].join('\n')
}

function createTable(routes: readonly DialectRoute[]): string {
  return markdownTable(
    ['operation', 'what', 'calls', 'differs'],
    routes.map(({ method, path, opens, summary, operations, differs = '' }) => [
      `\`${method} ${path}${opens === 'instance' ? '/{instance}' : ''}\``,
      summary,
      operations.map((route) => `\`${route.method} ${route.path}\``).join(', '),
      differs,
    ]),
  )
}

function markdownTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [heads, heads.map(() => '---'), ...rows.map((row) => row.map((cell) => cell.replaceAll('|', '\\|')))]
  return lines.map((line) => `| ${line.join(' | ')} |`).join('\n')
}
