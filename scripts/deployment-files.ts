/** Files for panels and operators, made from those of `compose/` and `k8s/monitoring/`. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { parse, stringify } from 'yaml'
import { packageRoot, packageVersion } from '../lib/package-root.js'

/** One container with all that it needs, as `compose/small.yaml` describes it. */
interface Small {
  readonly environment: Readonly<Record<string, string>>
  readonly ports: readonly [string]
  readonly volumes: readonly [string]
  readonly restart: string
  readonly stop_grace_period: string
  readonly tmpfs: readonly string[]
  readonly [rest: string]: unknown
}

/** The image that a release publishes (docs/operations/production.md). */
const IMAGE = `ghcr.io/posthorn/posthorn:${packageVersion}`
const SLOGAN = 'A WhatsApp gateway: one HTTP/JSON API over many connected accounts, with webhooks and a dashboard.'
const FIRST_LOGIN = 'Its log shows the administrator token and a link to the dashboard, once.'
/** Networks of Docker, in which the proxy of the panel is. */
const PANEL_PROXIES = '10.0.0.0/8,172.16.0.0/12,192.168.0.0/16'

export function deploymentFiles(): Readonly<Record<string, string>> {
  const small = readSmall()
  return {
    'compose/templates/portainer.json': asJson(portainerTemplates(small)),
    'compose/templates/coolify.yaml': coolifyTemplate(small),
    'compose/templates/easypanel.json': asJson(easypanelSchema(small)),
    'k8s/components/monitoring/prometheus-rule.yaml': prometheusRule(),
  }
}

function readSmall(): Small {
  const text = readFileSync(path.join(packageRoot, 'compose/small.yaml'), 'utf8')
  return (parse(text) as { services: { gateway: Small } }).services.gateway
}

/** App templates of Portainer, version 3. */
function portainerTemplates({ environment, ports, volumes, restart }: Small): unknown {
  return {
    version: '3',
    templates: [
      {
        id: 1,
        type: 1,
        title: 'Posthorn',
        description: SLOGAN,
        note: `${FIRST_LOGIN} Put a proxy with TLS before port ${inside(ports)}.`,
        categories: ['Messaging'],
        platform: 'linux',
        image: IMAGE,
        ports: [`${inside(ports)}:${inside(ports)}/tcp`],
        volumes: [{ container: inside(volumes) }],
        restart_policy: restart,
        env: Object.entries(environment).map(([name, value]) => ({
          name,
          label: name,
          default: readDefault(value),
        })),
      },
    ],
  }
}

/** A service of Coolify, which replaces SERVICE_URL_… and SERVICE_PASSWORD_… by values of its own. */
function coolifyTemplate({ build: _, image: __, ports, environment, logging: ___, ...rest }: Small): string {
  const settings = { ...environment, PUBLIC_URL: '$SERVICE_URL_POSTHORN', ADMIN_TOKEN: '$SERVICE_PASSWORD_64_ADMIN' }
  const service = {
    image: IMAGE,
    environment: [
      `SERVICE_URL_POSTHORN_${inside(ports)}`,
      ...Object.entries({ ...settings, TRUSTED_PROXIES: PANEL_PROXIES }).map(([name, value]) => `${name}=${value}`),
    ],
    ...rest,
  }
  const head = [
    'documentation: https://posthorn.example/',
    `slogan: ${SLOGAN}`,
    'category: messaging',
    'tags: whatsapp,api,gateway,webhooks',
    `port: ${inside(ports)}`,
    '',
    'Made from compose/small.yaml by `npm run generate`; change that.',
    'ADMIN_TOKEN is among the variables of the service; it signs in at /dashboard/.',
  ]
  const [volume = ''] = rest.volumes[0].split(':')
  const document = stringify({ services: { posthorn: service }, volumes: { [volume]: null } }, { lineWidth: 0 })
  return `${head.map((line) => `# ${line}`.trimEnd()).join('\n')}\n${document}`
}

/** A schema for "Create from schema" of Easypanel, which replaces $(…). */
function easypanelSchema({ environment, ports, volumes }: Small): unknown {
  const settings = { ...environment, PUBLIC_URL: 'https://$(PRIMARY_DOMAIN)', TRUSTED_PROXIES: PANEL_PROXIES }
  const env = Object.entries(settings).map(([name, value]) => `${name}=${readDefault(value)}`)
  return {
    services: [
      {
        type: 'app',
        data: {
          serviceName: 'posthorn',
          source: { type: 'image', image: IMAGE },
          env: env.join('\n'),
          domains: [{ host: '$(EASYPANEL_DOMAIN)', port: Number(inside(ports)) }],
          mounts: [{ type: 'volume', name: volumes[0].split(':')[0], mountPath: inside(volumes) }],
        },
      },
    ],
  }
}

/** The alerts as an object of the Prometheus operator. */
function prometheusRule(): string {
  const { groups } = parse(readFileSync(path.join(packageRoot, 'k8s/monitoring/alerts.yaml'), 'utf8')) as {
    groups: unknown
  }
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'posthorn', labels: { 'app.kubernetes.io/name': 'posthorn' } },
    spec: { groups },
  }
  return `# Made from k8s/monitoring/alerts.yaml by \`npm run generate\`; change that.\n${stringify(rule, { lineWidth: 0 })}`
}

/** The last part of `127.0.0.1:3000:3000` or `data:/data`. */
function inside([first]: readonly [string]): string {
  return first.split(':').at(-1) ?? ''
}

/** What `${NAME:-default}` is without a value. */
function readDefault(value: string): string {
  const at = value.indexOf(':-')
  return value.startsWith('${') && at > 0 ? value.slice(at + 2, -1) : value
}

function asJson(value: unknown): string {
  return `${JSON.stringify(value, undefined, 2)}\n`
}
