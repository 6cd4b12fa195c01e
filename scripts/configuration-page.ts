/** `docs/reference/configuration.md`, made from the schema of the configuration. */
import { type Setting, settings } from '../runtime/config/reader.js'

const titles: Readonly<Record<string, string>> = {
  http: 'API',
  data: 'Data',
  database: 'PostgreSQL',
  redis: 'Redis',
  secrets: 'Secrets',
  cluster: 'Node and cluster',
  instances: 'Instances',
  network: 'The WhatsApp network',
  sends: 'Sending',
  media: 'Files',
  webhooks: 'Webhooks',
  stream: 'Event stream',
  outgoing: 'Outgoing requests',
  agents: 'Agents',
  logging: 'Logs',
  metrics: 'Metrics',
}

const opening = `# Configuration

Settings are environment variables; none is needed. An empty one counts as unset. A node reports all mistakes at once, at startup, and a
name that is nearly one of these is a mistake too. This page is made from \`schemas/configuration.json\` by \`npm run generate\`.
`

/** The page, as Markdown. */
export function configurationPage(): string {
  const slices = [...new Set([...settings.values()].map((setting) => setting.slice))]
  return `${[opening, ...slices.map(section)].join('\n')}`
}

function section(slice: string): string {
  const rows = [...settings]
    .filter(([, setting]) => setting.slice === slice)
    .map(([name, setting]) => row(name, setting))
  return [
    `## ${titles[slice] ?? slice}`,
    '',
    '| name | default | unit or values | meaning |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function row(name: string, setting: Setting): string {
  const fallback = setting.default === undefined || setting.default === '' ? '' : `\`${setting.default}\``
  const values = setting.enum?.join(', ') ?? setting.unit ?? (setting.type === 'boolean' ? 'true, false' : '')
  return `| \`${name}\` | ${fallback} | ${values} | ${setting.description.replaceAll('|', '\\|')} |`
}
