import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { routes } from '../api/routes.js'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import { type Config, readConfig } from '../runtime/config.js'
import { findPod, limitSettings, rendered } from '../test/support/manifests.js'

interface Service {
  readonly image: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly read_only?: boolean
  readonly volumes?: readonly string[]
  readonly configs?: readonly { readonly source: string; readonly target: string }[]
  readonly build?: { readonly target?: string; readonly dockerfile_inline?: string }
  readonly entrypoint?: readonly string[]
  readonly profiles?: readonly string[]
  readonly command?: readonly string[]
  readonly cap_drop?: readonly string[]
  readonly stop_grace_period?: string
  readonly depends_on?: unknown
  readonly healthcheck?: { readonly test: readonly string[] }
}

interface PortainerTemplates {
  readonly templates: readonly [
    {
      readonly image: string
      readonly ports: readonly string[]
      readonly volumes: readonly unknown[]
      readonly env: readonly { readonly name: string; readonly default: string }[]
    },
  ]
}

interface CoolifyService {
  readonly image: string
  readonly environment: readonly string[]
}

interface EasypanelSchema {
  readonly services: readonly [
    {
      readonly data: {
        readonly source: { readonly image: string }
        readonly env: string
        readonly domains: readonly [{ readonly port: number }]
        readonly mounts: readonly [{ readonly mountPath: string }]
      }
    },
  ]
}

const read = (file: string): string => readFileSync(path.join(packageRoot, file), 'utf8')
const { services, configs, volumes } = parse(read('compose.yaml'), { merge: true, strict: true }) as {
  services: Readonly<Record<string, Service>>
  configs: Readonly<Record<string, { readonly content: string }>>
  volumes: Readonly<Record<string, null>>
}
const nodes = [services.node1, services.node2] as [Service, Service]
const balancer = read('compose/haproxy.cfg')

describe('compose.yaml', () => {
  it('gives each node an environment that the program accepts, and its own address and name', () => {
    const [first, second] = nodes.map((node) => createConfig(node)) as [Config, Config]
    assert.deepEqual([first.cluster.nodeId, second.cluster.nodeId], ['node1', 'node2'])
    for (const config of [first, second]) assert.equal(config.cluster.nodeAddress, config.cluster.nodeId)
    assert.deepEqual({ ...first, cluster: {} }, { ...second, cluster: {} })
    assert.ok(first.database.url?.includes('@postgres:5432/posthorn') && 'postgres' in services)
    assert.ok(first.redis.url === 'redis://redis:6379' && 'redis' in services)
  })

  it('leads from the balancer to the ports on which they listen, and shows nothing else to the world', () => {
    for (const [index, node] of nodes.entries()) {
      const { http, cluster } = createConfig(node)
      assert.equal(services.balancer?.environment?.[`NODE${index + 1}`], `${cluster.nodeId}:${http.port}`)
    }
    const published = Object.entries(services).filter(([, { ports }]) => ports !== undefined)
    assert.deepEqual(
      published.map(([name, { ports }]) => [name, ports]),
      [
        ['balancer', [`${services.balancer?.environment?.PORT}:${services.balancer?.environment?.PORT}`]],
        ['tls', ['80:80', '443:443', '443:443/udp']],
      ],
    )
  })

  it('gives the nodes one volume for files, in a folder that the image has for its user', () => {
    for (const node of nodes) {
      const { media } = createConfig(node)
      assert.deepEqual([media.storage, media.folder], ['shared', '/data/files'])
      assert.deepEqual(node.volumes, ['files:/data'])
    }
    assert.match(read('Dockerfile'), /install --directory --owner posthorn --group posthorn --mode 700 \/data$/m)
  })

  it('leads to PgBouncer in transaction mode, and past it where that is needed, when its profile is chosen', () => {
    const chosen = { DATABASE_HOST: 'pgbouncer:6432', DATABASE_POOLER: 'transaction' }
    const { database } = createConfig(nodes[0], chosen)
    assert.equal(database.pooler, 'transaction')
    assert.ok(
      database.url?.includes('@pgbouncer:6432/posthorn') && database.directUrl?.includes('@postgres:5432/posthorn'),
    )
    assert.deepEqual(services.pgbouncer?.profiles, ['pgbouncer'])
    const ini = filledIn(configs.pgbouncer?.content ?? '')
    for (const line of ['listen_port = 6432', 'pool_mode = transaction', 'auth_file = /etc/posthorn/users.txt'])
      assert.ok(ini.split('\n').includes(line), line)
    const targets = services.pgbouncer?.configs?.map(({ target }) => target)
    assert.deepEqual(targets, ['/etc/posthorn/pgbouncer.ini', '/etc/posthorn/users.txt'])
    assert.ok(services.pgbouncer?.build?.dockerfile_inline?.includes('"/etc/posthorn/pgbouncer.ini"'))
  })

  it('backs up the database and the files of the nodes into a volume, with the user and the folders of the image', () => {
    const { backup } = services
    assert.deepEqual([backup?.profiles, backup?.build?.target], [['backup'], 'backup'])
    assert.ok(backup)
    const { database, media } = createConfig(backup)
    assert.deepEqual([database.url, media.folder], [createConfig(nodes[0]).database.url, '/data/files'])
    assert.deepEqual(backup.volumes, ['backups:/backups', 'files:/data'])
    assert.equal(
      backup.command?.map((word) => filledIn(word)).join(' '),
      'node dist/backup.js backup --in /backups --every 24 --keep 7 --without-keys',
    )
    assert.match(read('Dockerfile'), /^FROM \$\{POSTGRES\} AS backup\nRUN install .*--owner 10001 .*\/backups \/data$/m)
    // pg_dump must not be older than the server.
    const server = /postgres:(\d+)/.exec(services.postgres?.image ?? '')?.[1]
    assert.equal(/^ARG POSTGRES=.*postgres:(\d+)/m.exec(read('Dockerfile'))?.[1], server)
  })

  it('stores files in the S3 service of its profile, whose bucket is made', () => {
    const chosen = {
      ...{ MEDIA_STORAGE: 's3', MEDIA_FOLDER: '' },
      ...{ MEDIA_S3_ACCESS_KEY: 'a-key', MEDIA_S3_SECRET_KEY: 'a-secret' },
    }
    const { storage, folder, s3 } = createConfig(nodes[0], chosen).media
    assert.deepEqual([storage, folder, s3.bucket, s3.endpoint], ['s3', undefined, 'posthorn', 'http://s3:8333'])
    assert.deepEqual([services.s3?.profiles, services['s3-bucket']?.profiles], [['s3'], ['s3']])
    assert.ok(services.s3?.command?.includes('-s3.port=8333'))
    assert.ok(services['s3-bucket']?.entrypoint?.join(' ').includes('s3.bucket.create -name posthorn'))
    const { identities } = JSON.parse(filledIn(configs.s3?.content ?? '', chosen)) as {
      identities: { credentials: unknown }[]
    }
    assert.deepEqual(identities[0]?.credentials, [{ accessKey: 'a-key', secretKey: 'a-secret' }])
  })

  it('names its volumes and configs where they are used', () => {
    const mounted = Object.values(services).flatMap(({ volumes: own = [] }) =>
      own.map((one) => one.split(':')[0] ?? ''),
    )
    assert.deepEqual(new Set(mounted.filter((one) => !one.startsWith('.'))), new Set(Object.keys(volumes)))
    const used = Object.values(services).flatMap(({ configs: own = [] }) => own.map(({ source }) => source))
    assert.deepEqual(used.toSorted(), Object.keys(configs).toSorted())
  })

  it('leads TLS to the balancer, when its profile is chosen', () => {
    const { tls } = services
    assert.deepEqual(tls?.profiles, ['tls'])
    assert.ok(tls?.command?.join(' ').endsWith(`--to balancer:${services.balancer?.environment?.PORT}`))
  })

  it('has a small form of one container, with everything in one volume', () => {
    const small = parse(read('compose/small.yaml'), { strict: true }) as { services: Readonly<Record<string, Service>> }
    const { gateway } = small.services
    assert.ok(gateway)
    const config = createConfig(gateway)
    assert.deepEqual([config.database.url, config.redis.url, config.media.storage], [undefined, undefined, 'disk'])
    assert.equal(gateway.image, `posthorn:${packageVersion}`)
    assert.deepEqual(gateway.volumes, ['data:/data'])
    assert.equal(gateway.stop_grace_period, `${config.cluster.shutdownTimeoutMs / 1000 + 10}s`)
  })

  it('is what the templates of panels have', () => {
    const small = parse(read('compose/small.yaml'), { strict: true }) as { services: Readonly<Record<string, Service>> }
    const [port, folder] = ['3000', '/data']
    assert.ok(small.services.gateway?.volumes?.[0]?.endsWith(`:${folder}`))
    const portainer = JSON.parse(read('compose/templates/portainer.json')) as PortainerTemplates
    const [template] = portainer.templates
    assert.deepEqual([template.ports, template.volumes], [[`${port}:${port}/tcp`], [{ container: folder }]])
    const coolify = parse(read('compose/templates/coolify.yaml')) as { services: { posthorn: CoolifyService } }
    const easypanel = JSON.parse(read('compose/templates/easypanel.json')) as EasypanelSchema
    const { data } = easypanel.services[0]
    assert.deepEqual([data.domains[0].port, data.mounts[0].mountPath], [Number(port), folder])
    // As each panel fills it in.
    const environments = [
      template.env.map(({ name, default: value }) => `${name}=${value}`),
      coolify.services.posthorn.environment.map((line) =>
        line
          .replace('$SERVICE_URL_POSTHORN', 'https://posthorn.example')
          .replace('$SERVICE_PASSWORD_64_ADMIN', 'a'.repeat(64)),
      ),
      data.env.replace('$(PRIMARY_DOMAIN)', 'posthorn.example').split('\n'),
    ]
    for (const lines of environments) {
      const settings = lines.map((line) => filledIn(line).split('=')).filter(([name]) => !name?.startsWith('SERVICE_'))
      const config = readConfig(Object.fromEntries(settings.map(([name, ...value]) => [name, value.join('=')])))
      assert.ok(config.http.publicUrl?.startsWith('http'))
    }
    for (const { image } of [template, coolify.services.posthorn, data.source])
      assert.equal(image, `ghcr.io/posthorn/posthorn:${packageVersion}`)
  })

  it('asks for what the nodes serve', () => {
    const asked = [balancer, ...nodes.map(({ healthcheck }) => healthcheck?.test.join(' ') ?? '')].map(
      (text) => /(?:httpchk GET |127\.0\.0\.1:3000)(\/\w+)/.exec(text)?.[1],
    )
    assert.deepEqual(asked, ['/ready', '/ready', '/ready'])
    for (const node of nodes)
      assert.ok(
        node.healthcheck?.test.join(' ').includes(`http://127.0.0.1:${createConfig(node).cluster.healthPort}/health`),
      )
    assert.ok(routes.some(({ path: served, auth }) => served === '/ready' && auth === 'none'))
  })

  it('leaves a node the time that its shutdown takes, and the balancer the time to notice it', () => {
    const [, interval, fall] = /inter (\d+)s fall (\d+)/.exec(balancer) ?? []
    for (const node of nodes) {
      const { shutdownTimeoutMs, shutdownNoticeMs } = createConfig(node).cluster
      assert.equal(node.stop_grace_period, `${shutdownTimeoutMs / 1000 + 10}s`)
      assert.ok(shutdownNoticeMs > 2 * Number(interval) * Number(fall) * 1000)
    }
  })

  it('keeps the balancer patient for as long as a call may be silent', () => {
    const { cluster, sends, stream } = createConfig(nodes[0])
    // A delay beyond the time for an answer is answered at once.
    const silentMs = sends.ackTimeoutMs + cluster.parkTimeoutMs + sends.ackTimeoutMs
    for (const [, seconds] of balancer.matchAll(/timeout (?:client|server) (\d+)s/g))
      assert.ok(Number(seconds) * 1000 > Math.max(silentMs, 2 * stream.heartbeatMs))
  })

  it('runs them on a read-only root and without capabilities', () => {
    for (const { read_only, cap_drop } of nodes) assert.deepEqual([read_only, cap_drop], [true, ['ALL']])
  })

  it('takes the limits of instances from .env, and leaves out what is not set there', () => {
    const { environment = {} } = nodes[0]
    for (const name of limitSettings) assert.equal(environment[name], `\${${name}:-}`)
    assert.equal(createConfig(nodes[0]).webhooks.instanceConcurrency, 32)
  })

  it('has no secret in it', () => {
    for (const [name, value] of Object.entries({ ...nodes[0].environment, ...services.postgres?.environment }))
      if (/TOKEN|SECRET|KEY|PASSWORD/.test(name) && !limitSettings.includes(name))
        assert.match(value, /^\$\{\w+:(\?|-\}$)/, name)
  })
})

describe('the Dockerfile', () => {
  const dockerfile = read('Dockerfile')

  it('runs the steps that are tested, and ends in the user and the ports of the manifests', () => {
    assert.match(dockerfile, /scripts\/image\.sh \/build\/image/)
    const { securityContext, containers } = findPod(rendered('production'))
    assert.match(dockerfile, new RegExp(`^USER ${securityContext.runAsUser}:${securityContext.runAsGroup}$`, 'm'))
    assert.match(dockerfile, new RegExp(`useradd --uid ${securityContext.runAsUser} `))
    const ports = containers[0].ports.map(({ containerPort }) => containerPort).join(' ')
    assert.match(dockerfile, new RegExp(`^EXPOSE ${ports}$`, 'm'))
    assert.match(dockerfile, /^HEALTHCHECK .*\\\n {2}CMD .*HEALTH_PORT/m)
    const health = containers[0].ports.find(({ name }) => name === 'health')?.containerPort
    assert.match(dockerfile, new RegExp(`^ENV .* HEALTH_PORT=${health}$`, 'm'))
  })

  it('copies what the build needs, past .dockerignore', () => {
    const letIn = new Set(read('.dockerignore').match(/(?<=^!).+$/gm))
    const { include } = JSON.parse(read('tsconfig.json')) as { include: readonly string[] }
    assert.deepEqual(include, ['**/*.ts'])
    for (const needed of ['package.json', 'package-lock.json', '.npmrc', 'tsconfig.json', 'LICENSE', 'NOTICE'])
      assert.ok(letIn.has(needed), needed)
    for (const folder of ['actors', 'api', 'cli', 'clients', 'dashboard', 'lib', 'runtime', 'schemas', 'scripts'])
      assert.ok(letIn.has(folder), folder)
  })

  it('and all manifests name the version of the package', () => {
    for (const overlay of ['single', 'production'] as const)
      assert.ok(findPod(rendered(overlay)).containers[0].image.endsWith(`:${packageVersion}`))
    for (const { image } of nodes) assert.equal(image, `posthorn:${packageVersion}`)
  })
})

const secrets: Readonly<Record<string, string>> = {
  POSTGRES_PASSWORD: 'secret',
  ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
  CLUSTER_SECRET: 'a-secret-of-thirty-two-characters',
  ADMIN_TOKEN: 'a-token-of-thirty-two-characters',
  METRICS_TOKEN: 'a-token-of-thirty-two-characters',
}

/** As Docker fills it in from `.env`. */
function createConfig({ environment }: Service, settings: Readonly<Record<string, string>> = {}): Config {
  const filled = Object.entries(environment ?? {}).map(([name, value]) => [name, filledIn(value, settings)])
  return readConfig(Object.fromEntries(filled))
}

/** Replaces `${NAME}`, `${NAME:?…}`, `${NAME:-…}`, `${NAME-…}` and `${NAME:+…}` as compose does; one may stand in another. */
function filledIn(text: string, settings: Readonly<Record<string, string>> = {}): string {
  const given: Readonly<Record<string, string>> = { ...secrets, ...settings }
  const innermost = /\$\{(\w+)(?:(:[?+-]|-)([^{}]*))?\}/
  for (let rest = text; ; ) {
    const [whole, name = '', operator = '', word = ''] = innermost.exec(rest) ?? []
    if (whole === undefined) return rest
    const value = given[name]
    const isSet = value !== undefined && (value !== '' || operator === '-')
    const other = operator === ':-' || operator === '-' ? word : ''
    rest = rest.replace(whole, () => (operator === ':+' ? (isSet ? word : '') : isSet ? value : other))
  }
}

describe('the unit of systemd', () => {
  const unit = read('examples/systemd/posthorn.service')
  const settings = new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]))

  it('waits longer for the end than the gateway takes, and starts it again when it ended itself', () => {
    const { cluster } = readConfig({})
    assert.ok(Number(settings.get('TimeoutStopSec')) * 1_000 > cluster.shutdownTimeoutMs)
    assert.equal(settings.get('KillMode'), 'mixed')
    assert.equal(settings.get('Restart'), 'on-failure')
  })

  it('sets what the program accepts, in the folder that systemd makes for it', () => {
    const environment = Object.fromEntries((settings.get('Environment') ?? '').split(' ').map((one) => one.split('=')))
    const config = readConfig(environment)
    assert.equal(config.data.dir, `/var/lib/${settings.get('StateDirectory')}`)
  })
})
