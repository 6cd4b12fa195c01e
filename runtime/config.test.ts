import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { defaultTiming } from './cluster/ownership/protocol.js'
import { type SettingValue, settings } from './config/reader.js'
import { readSlices } from './config/slices.js'
import { ConfigError, readConfig } from './config.js'

const key = Buffer.alloc(32, 7).toString('base64')

describe('the configuration', () => {
  it('needs nothing, and is frozen to its depth', () => {
    const config = readConfig({ PATH: '/usr/bin', HOME: '/root' })
    assert.equal(config.http.port, 3000)
    assert.equal(config.sends.ackTimeoutMs, 10_000)
    assert.equal(config.database.url, undefined)
    assert.throws(() => Object.assign(config.http.rateLimits, { tokenPerSecond: 1 }), TypeError)
  })

  it('reads each setting with its type', () => {
    const config = readConfig({
      PORT: ' 8080 ',
      ALLOW_PRIVATE_ADDRESSES: 'true',
      TRUSTED_PROXIES: '10.0.0.0/8, ::1',
      WA_VERSION: '2.3000.42',
      WA_NOISE_ROOT_KEY: 'AB'.repeat(32),
      LOG_LEVEL: '',
    })
    assert.equal(config.http.port, 8080)
    assert.equal(config.outgoing.allowPrivateAddresses, true)
    assert.deepEqual(config.http.trustedProxies, ['10.0.0.0/8', '::1'])
    assert.deepEqual(config.network.version, [2, 3000, 42])
    assert.equal(config.network.noiseRootKey, 'ab'.repeat(32))
    assert.deepEqual(config.logging, { level: 'info', format: undefined })
  })

  it('takes origins as browsers send them, and says how one is written that is not', () => {
    const good = 'https://app.example, http://localhost:5173,capacitor://localhost'
    assert.deepEqual(readConfig({ CORS_ORIGINS: good }).http.corsOrigins, good.split(/, ?/))
    assert.deepEqual(readConfig({}).http.corsOrigins, [])
    assert.deepEqual(readConfig({ CORS_ORIGINS: '*' }).http.corsOrigins, ['*'])
    for (const [origin, example] of [
      ['https://App.Example/', 'https://app.example'],
      ['https://app.example:443', 'https://app.example'],
      ['app.example', 'https://app.example'],
      ['https://app.example/path', 'https://app.example'],
      ['https://*.example', 'https://app.example'],
      ['null', 'https://null'],
    ] as const)
      assert.deepEqual(listMistakes({ CORS_ORIGINS: origin }), [
        `CORS_ORIGINS: ${origin} is not an origin; write it as browsers do, such as ${example}.`,
      ])
    assert.match(listMistakes({ CORS_ORIGINS: '*,https://app.example' })[0] ?? '', /\* alone allows all/)
  })

  it('takes an address of the web for Grafana, without a password', () => {
    const url = 'https://grafana.example/d/posthorn?orgId=1'
    assert.equal(readConfig({ DASHBOARD_GRAFANA_URL: url }).http.grafanaUrl, url)
    assert.equal(readConfig({ DASHBOARD_GRAFANA_URL: '' }).http.grafanaUrl, undefined)
    for (const wrong of ['grafana.example', 'javascript:alert(1)', 'https://', 'https://me:secret@grafana.example']) {
      const mistakes = listMistakes({ DASHBOARD_GRAFANA_URL: wrong })
      assert.equal(mistakes.length, 1, wrong)
      assert.match(mistakes[0] ?? '', /^DASHBOARD_GRAFANA_URL: /)
      assert.doesNotMatch(mistakes[0] ?? '', /secret/)
    }
  })

  it('takes hosts for models as URLs have them', () => {
    const good = 'ollama.internal:11434, 10.0.0.5,[fd00::5]:8080'
    assert.deepEqual(readConfig({ AGENT_PRIVATE_HOSTS: good }).agents.privateHosts, good.split(/, ?/))
    for (const wrong of ['fd00::5', 'host:0', 'host:99999', 'a b', 'http://host', 'user@host'])
      assert.match(listMistakes({ AGENT_PRIVATE_HOSTS: wrong })[0] ?? '', /^AGENT_PRIVATE_HOSTS: /, wrong)
  })

  it('tells all mistakes at once', () => {
    const mistakes = listMistakes({
      PORT: '70000',
      ALLOW_PRIVATE_ADDRESSES: 'yes please',
      LOG_LEVEL: 'loud',
      SEND_ACK_TIMEOUT_MS: '10s',
      ENCRYPTON_KEY: key,
    })
    assert.deepEqual(mistakes, [
      'PORT: "70000" must be between 0 and 65535.',
      'SEND_ACK_TIMEOUT_MS: "10s" must be a whole number (milliseconds).',
      'ALLOW_PRIVATE_ADDRESSES: "yes please" must be true or false.',
      'LOG_LEVEL: "loud" must be one of fatal, error, warn, info, debug, trace, silent.',
      'ENCRYPTON_KEY: unknown; did you mean ENCRYPTION_KEY?',
    ])
  })

  it('never repeats a secret in a mistake', () => {
    const [mistake] = listMistakes({ ENCRYPTION_KEY: 'hunter2' })
    assert.match(mistake ?? '', /^ENCRYPTION_KEY: its value has an invalid format\. Expected: /)
    assert.doesNotMatch(mistake ?? '', /hunter2/)
  })

  for (const [wrong, right] of [
    ['ENCRYPTON_KEY', 'ENCRYPTION_KEY'],
    ['WA_WEBSOCKETURL', 'WA_WEBSOCKET_URL'],
    ['WA_WEBSOCKET', 'WA_WEBSOCKET_URL'],
    ['INSTANCE_MAX', 'INSTANCES_MAX'],
    ['DATABSE_URL', 'DATABASE_URL'],
    ['REQUEST_TIMEOUT', 'REQUEST_TIMEOUT_MS'],
    ['admin_token', 'ADMIN_TOKEN'],
    ['WEBHOOK_BACKOF_MAX_MS', 'WEBHOOK_BACKOFF_MAX_MS'],
  ] as const) {
    it(`asks for ${right} where ${wrong} is set`, () => {
      assert.deepEqual(listMistakes({ [wrong]: 'x' }), [`${wrong}: unknown; did you mean ${right}?`])
    })
  }

  it('leaves the variables of other programs, of Kubernetes and of our tests alone', () => {
    const environment = {
      HOSTNAME: 'pod-1',
      HOME: '/root',
      NODE_ENV: 'production',
      NODE_IP: '10.0.0.1',
      NODE_OPTIONS: '',
      // Of the image of Node.js.
      NODE_VERSION: '22.20.0',
      POSTGRES_URL: 'x',
      REDIS_PORT: 'tcp://10.0.0.2:6379',
      REDIS_PORT_6379_TCP_ADDR: '10.0.0.2',
      POSTHORN_SERVICE_HOST: '10.0.0.3',
      POSTHORN_PORT_3000_TCP: 'x',
      WEBHOOK_SERVICE_PORT_HTTP: '80',
      POSTHORN_TEST_DATABASE_URL: 'x',
      // Of the command line, in the same terminal.
      POSTHORN_URL: 'http://127.0.0.1:3000',
      POSTHORN_TOKEN: 'x',
      POSTHORN_ADMIN_TOKEN: 'x',
      POSTHORN_KEY: 'x',
      LOGNAME: 'root',
      SHELL: '/bin/sh',
      POST: '1',
    }
    assert.doesNotThrow(() => readConfig(environment))
  })

  it('takes the URLs that the embedded servers print', () => {
    const config = readConfig({
      DATABASE_URL: 'postgresql://posthorn@/posthorn?host=%2Fdata%2Frun%2Fpostgresql',
      REDIS_URL: '/data/run/redis.sock',
      ENCRYPTION_KEY: key,
    })
    assert.equal(config.redis.url, '/data/run/redis.sock')
  })

  it('wants an ENCRYPTION_KEY with a DATABASE_URL, bounds in order, and files that exist', () => {
    const mistakes = listMistakes({
      DATABASE_URL: 'postgresql://host/db',
      SEND_DELAY_MIN_MS: '5000',
      WA_MEDIA_CA_FILE: '/nonexistent.pem',
    })
    assert.equal(mistakes.length, 3)
    assert.match(
      mistakes.join(' '),
      /SEND_DELAY_MIN_MS: is larger.*ENCRYPTION_KEY: must be set.*WA_MEDIA_CA_FILE: .* cannot be read/,
    )
  })

  it('gives scheduled messages the pause of queued ones, bound by bound, unless they have their own', () => {
    const pause = ({ sends }: ReturnType<typeof readConfig>) => [sends.scheduledDelayMinMs, sends.scheduledDelayMaxMs]
    assert.deepEqual(pause(readConfig({ SEND_DELAY_MAX_MS: '9000' })), [2_000, 9_000])
    assert.deepEqual(pause(readConfig({ SCHEDULED_DELAY_MIN_MS: '0' })), [0, 4_000])
    assert.deepEqual(listMistakes({ SCHEDULED_DELAY_MIN_MS: '2', SCHEDULED_DELAY_MAX_MS: '1' }), [
      'SCHEDULED_DELAY_MIN_MS: is larger than SCHEDULED_DELAY_MAX_MS.',
    ])
    assert.deepEqual(listMistakes({ SCHEDULED_DELAY_MAX_MS: '1000' }), [
      'SCHEDULED_DELAY_MAX_MS: is smaller than SEND_DELAY_MIN_MS; set SCHEDULED_DELAY_MIN_MS, too.',
    ])
  })

  it('has the timing of the argument for one owner as default, and refuses one for which that does not hold', () => {
    assert.deepEqual(readConfig({}).cluster.timing, defaultTiming)
    assert.deepEqual(listMistakes({ CLUSTER_LEASE_MS: '4000' }), [
      'CLUSTER_LEASE_MS: must be at least 4120, which is 3 % more than CLUSTER_GUARD_MS.',
    ])
    const slowRenewal = listMistakes({ CLUSTER_RENEW_MS: '2000' })
    assert.deepEqual(
      slowRenewal.map((mistake) => mistake.split(':')[0]),
      ['CLUSTER_GUARD_MS', 'CLUSTER_PREDECESSOR_MS', 'CLUSTER_SUSPECT_MS'],
    )
  })

  it('takes a number of processes or auto, and refuses ports and names that do not fit all of them', () => {
    assert.equal(readConfig({}).cluster.processes, 1)
    assert.equal(readConfig({ NODE_PROCESSES: '4' }).cluster.processes, 4)
    assert.equal(readConfig({ NODE_PROCESSES: 'auto' }).cluster.processes, 'auto')
    for (const wrong of ['0', '65', '1.5', 'all', '-1'])
      assert.match(listMistakes({ NODE_PROCESSES: wrong })[0] ?? '', /^NODE_PROCESSES: ".*" has an invalid format/)
    const external = { DATABASE_URL: 'postgresql://host/name', ENCRYPTION_KEY: key, NODE_PROCESSES: '3' }
    assert.deepEqual(listMistakes({ ...external, PORT: '3003' }), [
      'PORT: must not be 3003, since NODE_PROCESSES=3 takes the ports from PEER_PORT to 3003.',
    ])
    assert.match(listMistakes({ ...external, PEER_PORT: '65534' })[0] ?? '', /^PEER_PORT: .* there is none above 65535/)
    assert.equal(readConfig({ ...external, PORT: '3004' }).http.port, 3004)
    assert.equal(readConfig({ NODE_PROCESSES: '3', PORT: '3003' }).http.port, 3003)
    const [mistake] = listMistakes({ NODE_PROCESSES: 'auto', NODE_ID: 'n'.repeat(61) })
    assert.match(mistake ?? '', /^NODE_ID: must be at most 60 characters/)
  })

  it('reads every setting of the schema exactly once', () => {
    const reads: string[] = []
    const recorder =
      <T extends SettingValue | undefined | readonly string[]>(value: T) =>
      (name: string) => {
        reads.push(name)
        return value
      }
    readSlices({
      text: recorder('x'),
      optionalText: recorder(undefined),
      list: recorder([]),
      number: recorder(1),
      optionalNumber: recorder(undefined),
      flag: recorder(true),
    })
    assert.deepEqual(reads.sort(), [...settings.keys()].sort())
  })

  it('has a bound for each value and a sentence for people', () => {
    for (const [name, setting] of settings) {
      assert.match(setting.description, /^[A-Z].*\.$/, name)
      if (setting.type === 'integer') assert.ok(setting.minimum !== undefined && setting.maximum !== undefined, name)
    }
  })
})

function listMistakes(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.mistakes
  }
  throw new Error('the configuration was accepted')
}
