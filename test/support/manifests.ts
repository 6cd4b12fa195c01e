/** Readers of the rendered objects, for the tests of `k8s/`. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { stringify } from 'yaml'
import { packageRoot } from '../../lib/package-root.js'
import { type KubernetesObject, renderKustomization } from './kustomize.js'

export const overlays = ['single', 'production'] as const
type Overlay = (typeof overlays)[number]

/** Limits of instances that operators may want to change: settable in `k8s/base/config-map.yaml` and `compose.yaml`. */
export const limitSettings: readonly string[] = [
  'SSE_CLIENTS_PER_INSTANCE_MAX',
  'SSE_CLIENTS_ADMIN_MAX',
  'UPLOADS_PER_INSTANCE_MAX',
  'SEARCHES_PER_INSTANCE_MAX',
  'SEARCH_TIMEOUT_MS',
  'DNS_LOOKUPS_PER_INSTANCE_MAX',
  'DNS_TIMEOUT_MS',
  'FETCHES_PER_INSTANCE_MAX',
  'BODY_KEYS_MAX',
  'BODY_VALUES_MAX',
  'WEBHOOK_CONCURRENCY_PER_INSTANCE',
  'WEBHOOK_CONCURRENCY_PER_RECEIVER',
  'WEBHOOK_MAX_AGE_HOURS',
  'WEBHOOK_TOKEN',
  'CLUSTER_SHARDS',
  'WEBHOOK_PRIVATE_HOSTS',
  'DIALECTS',
  'SEND_RATE_PER_MINUTE',
  'NEW_CHATS_PER_DAY',
  'NEW_CHATS_WARM_UP',
  'NEW_CHATS_BUDGET_FOR',
  'NUMBER_CHECKS_PER_DAY',
  'NUMBER_CHECKS_PER_MINUTE',
  'AGENT_TURNS_PER_INSTANCE_MAX',
  'AGENT_TURNS_PER_DAY',
  'AGENT_TOKENS_PER_DAY',
  'AGENT_TURNS_PER_CHAT_HOUR',
  'AGENT_MODEL_CALLS_PER_INSTANCE_MAX',
  'AGENT_KEY_CHECK',
  'AGENT_PRIVATE_HOSTS',
  'CHATWOOT_PRIVATE_HOSTS',
  'CORS_ORIGINS',
  'DASHBOARD',
  'DASHBOARD_GRAFANA_URL',
  'MCP',
  'MCP_CALLS_PER_MINUTE',
  'MCP_NEW_RECIPIENTS_PER_HOUR',
]

export interface Container {
  readonly name: string
  readonly image: string
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly envFrom: readonly { readonly configMapRef: { readonly name: string } }[]
  readonly env: readonly EnvironmentVariable[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
  readonly startupProbe: Probe
  readonly livenessProbe: Probe
  readonly readinessProbe: Probe
  readonly lifecycle: { readonly preStop: { readonly sleep: { readonly seconds: number } } }
  readonly securityContext: {
    readonly allowPrivilegeEscalation: boolean
    readonly readOnlyRootFilesystem: boolean
    readonly capabilities: { readonly drop: readonly string[]; readonly add?: readonly string[] }
  }
  readonly resources: { readonly requests: Resources; readonly limits: Partial<Resources> }
}

interface Resources {
  readonly cpu: string
  readonly memory: string
}

interface EnvironmentVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: {
    readonly fieldRef?: { readonly fieldPath: string }
    readonly secretKeyRef?: { readonly name: string; readonly key: string; readonly optional?: boolean }
  }
}

export interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string }
  readonly periodSeconds: number
  readonly timeoutSeconds: number
  readonly failureThreshold: number
}

export interface Pod {
  readonly automountServiceAccountToken: boolean
  readonly terminationGracePeriodSeconds: number
  readonly securityContext: Readonly<Record<string, unknown>>
  readonly containers: readonly [Container]
  readonly volumes?: readonly {
    readonly name: string
    readonly persistentVolumeClaim?: { readonly claimName: string }
  }[]
}

export function rendered(overlay: Overlay): KubernetesObject[] {
  return renderKustomization(path.join(packageRoot, 'k8s', overlay))
}

/** Names of the parts that an installation may take in. */
export const components = readdirSync(path.join(packageRoot, 'k8s', 'components'))

/** Renders an overlay as an installation of its own does that takes in components. */
export function renderedWith(overlay: Overlay, taken: readonly string[], more: object = {}): KubernetesObject[] {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'posthorn-overlay-'))
  try {
    const place = (...names: readonly string[]): string =>
      path.relative(folder, path.join(packageRoot, 'k8s', ...names))
    const text = stringify({
      kind: 'Kustomization',
      namespace: 'posthorn',
      resources: [place(overlay)],
      components: taken.map((name) => place('components', name)),
      ...more,
    })
    writeFileSync(path.join(folder, 'kustomization.yaml'), text)
    return renderKustomization(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The only object of a kind (and name), as what its spec is. @throws when it is not there */
export function findSpec<T>(objects: readonly KubernetesObject[], kind: string, name = 'posthorn'): T {
  const found = objects.filter((object) => object.kind === kind && object.metadata.name === name)
  if (found.length !== 1) throw new Error(`${found.length} of ${kind} ${name}`)
  return found[0]?.spec as T
}

export function findPod(objects: readonly KubernetesObject[]): Pod {
  return findSpec<{ template: { spec: Pod } }>(objects, 'Deployment').template.spec
}

/** Values of the downward API and the secrets are made up, in the form that each must have. */
const filledIn: Readonly<Record<string, string>> = {
  'metadata.name': 'posthorn-6d5f7c9b8-x2x4z',
  'status.podIP': '10.1.2.3',
  ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
  METRICS_TOKEN: 'a-token-of-thirty-two-characters',
  CLUSTER_SECRET: 'a-secret-of-thirty-two-characters',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  DATABASE_URL: 'postgresql://posthorn:secret@postgres.example.org:5432/posthorn?sslmode=verify-full',
  REDIS_URL: 'rediss://:secret@redis.example.org:6379/0',
  MEDIA_S3_ENDPOINT: 'https://s3.example.org',
  MEDIA_S3_BUCKET: 'posthorn',
  MEDIA_S3_ACCESS_KEY: 'a-key',
  MEDIA_S3_SECRET_KEY: 'a-secret',
}

/** The environment that the program would see in the pod of these objects. @throws where nothing would be there */
export function readEnvironment(objects: readonly KubernetesObject[]): Record<string, string> {
  const [container] = findPod(objects).containers
  const shared = container.envFrom.flatMap(({ configMapRef: { name } }) => Object.entries(findConfigMap(objects, name)))
  const own = container.env.map(({ name, value, valueFrom }) => {
    const from = valueFrom?.fieldRef?.fieldPath ?? valueFrom?.secretKeyRef?.key ?? ''
    const found = value ?? filledIn[from]
    if (found === undefined) throw new Error(`${name} comes from nowhere`)
    return [name, found]
  })
  return Object.fromEntries([...shared, ...own])
}

/** @throws when it is not there */
export function findConfigMap(objects: readonly KubernetesObject[], name = 'posthorn'): Record<string, string> {
  const found = objects.find(({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === name)
  if (found === undefined) throw new Error(`There is no ConfigMap ${name}`)
  return found.data as Record<string, string>
}

const units: Readonly<Record<string, number>> = { '': 1, m: 0.001, Ki: 1024, Mi: 1024 ** 2, Gi: 1024 ** 3 }

/** A quantity of Kubernetes, such as `768Mi` or `100m`, as a number of its base unit. */
export function quantity(text: string): number {
  const [, number, unit = ''] = /^(\d+(?:\.\d+)?)(m|Ki|Mi|Gi)?$/.exec(text) ?? []
  if (number === undefined) throw new Error(`${text} is not a quantity that we use`)
  return Number(number) * (units[unit] ?? Number.NaN)
}
