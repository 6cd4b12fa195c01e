import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from '../config.js'
import { type RedisPlace, redisPlace } from './redis-place.js'

function readPlace(environment: NodeJS.ProcessEnv): RedisPlace | undefined {
  return redisPlace(readConfig(environment).redis)
}

function listMistakes(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    readConfig(environment)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.mistakes
  }
  return []
}

describe('where Redis is', () => {
  it('is the embedded one unless a setting says otherwise', () => {
    assert.equal(readPlace({}), undefined)
  })

  for (const url of ['unix:///data/run/redis.sock', '/data/run/redis.sock'])
    it(`is read from ${url}`, () => {
      assert.deepEqual(readPlace({ REDIS_URL: url }), {
        type: 'socket',
        path: '/data/run/redis.sock',
        answerMaxMs: 5_000,
      })
    })

  it('is read from a URL with everything in it', () => {
    assert.deepEqual(readPlace({ REDIS_URL: 'rediss://some%40one:se%2Fcret@[::1]:7000/3', REDIS_PASSWORD: 'other' }), {
      type: 'server',
      address: { host: '::1', port: 7000 },
      database: 3,
      username: 'some@one',
      password: 'se/cret',
      tls: {},
      answerMaxMs: 5_000,
    })
  })

  it('has the credentials of the settings when the URL has none', () => {
    const place = readPlace({ REDIS_URL: 'redis://host', REDIS_USERNAME: 'someone', REDIS_PASSWORD: 'secret' })
    assert.deepEqual([place?.username, place?.password], ['someone', 'secret'])
  })

  it('is read from the names of Sentinels', () => {
    assert.deepEqual(
      readPlace({
        REDIS_SENTINELS: 'one, two:7000,[::1]',
        REDIS_SENTINEL_NAME: 'main',
        REDIS_SENTINEL_PASSWORD: 'theirs',
        REDIS_PASSWORD: 'secret',
        REDIS_TLS: 'true',
        REDIS_TLS_SERVER_NAME: 'redis.example',
        REDIS_REPLICAS: '2',
        REDIS_ANSWER_MAX_MS: '1000',
      }),
      {
        type: 'sentinels',
        addresses: [
          { host: 'one', port: 26379 },
          { host: 'two', port: 7000 },
          { host: '::1', port: 26379 },
        ],
        name: 'main',
        sentinelPassword: 'theirs',
        password: 'secret',
        tls: { servername: 'redis.example' },
        answerMaxMs: 1_000,
      },
    )
  })

  it('is read from the names of the nodes of a cluster', () => {
    assert.deepEqual(readPlace({ REDIS_CLUSTER_NODES: 'one,two:7000' }), {
      type: 'cluster',
      addresses: [
        { host: 'one', port: 6379 },
        { host: 'two', port: 7000 },
      ],
      answerMaxMs: 5_000,
    })
  })
})

describe('reports a mistake about Redis at the start:', () => {
  const cases: readonly [string, NodeJS.ProcessEnv, readonly string[]][] = [
    [
      'two ways at once',
      { REDIS_URL: 'redis://host', REDIS_SENTINELS: 'one', REDIS_SENTINEL_NAME: 'main', REDIS_CLUSTER_NODES: 'two' },
      ['REDIS_URL and REDIS_SENTINELS and REDIS_CLUSTER_NODES: are different ways to reach Redis; set one of them.'],
    ],
    [
      'Sentinels without a name',
      { REDIS_SENTINELS: 'one' },
      ['REDIS_SENTINELS: needs REDIS_SENTINEL_NAME, by which the Sentinels know the primary.'],
    ],
    [
      'what belongs to Sentinels without them',
      { REDIS_SENTINEL_NAME: 'main', REDIS_SENTINEL_USERNAME: 'someone' },
      [
        'REDIS_SENTINEL_NAME: is of no use without REDIS_SENTINELS.',
        'REDIS_SENTINEL_USERNAME: is of no use without REDIS_SENTINEL_PASSWORD.',
      ],
    ],
    [
      'what belongs to a Redis that is not given',
      { REDIS_PASSWORD: 'hunter2', REDIS_TLS: 'true', REDIS_REPLICAS: '1' },
      ['REDIS_PASSWORD', 'REDIS_TLS', 'REDIS_REPLICAS'].map(
        (name) => `${name}: is of no use without REDIS_URL, REDIS_SENTINELS or REDIS_CLUSTER_NODES.`,
      ),
    ],
    [
      'addresses that are none',
      { REDIS_CLUSTER_NODES: 'one:7000,two:port,redis://three,user@four' },
      ['two:port', 'redis://three', 'user@four'].map(
        (text) => `REDIS_CLUSTER_NODES: ${JSON.stringify(text)} is not a host and a port.`,
      ),
    ],
    ['a URL that is none', { REDIS_URL: 'redis://:hunter2@host/three' }, ['REDIS_URL: is not a valid URL.']],
    [
      'a URL with parameters',
      { REDIS_URL: 'rediss://host?ssl_cert_reqs=none' },
      ['REDIS_URL: takes no parameters (what follows the question mark).'],
    ],
    [
      'TLS on a socket',
      { REDIS_URL: '/redis.sock', REDIS_TLS: 'true' },
      ['REDIS_TLS: there is no TLS on a unix socket.'],
    ],
    [
      'files of TLS that are not there, or without TLS',
      { REDIS_URL: 'redis://host', REDIS_TLS_CA_FILE: '/nonexistent.pem' },
      [
        'REDIS_TLS_CA_FILE: is of no use without REDIS_TLS=true or a rediss:// URL.',
        'REDIS_TLS_CA_FILE: "/nonexistent.pem" cannot be read.',
      ],
    ],
    [
      'files that hold something else, without showing it',
      { REDIS_URL: 'rediss://host', REDIS_TLS_CA_FILE: '/etc/hostname', REDIS_TLS_CERT_FILE: '/etc/hostname' },
      ['REDIS_TLS_CERT_FILE: needs REDIS_TLS_KEY_FILE beside it.'],
    ],
    [
      'an authority that is none',
      { REDIS_URL: 'rediss://host', REDIS_TLS_CA_FILE: '/etc/hostname' },
      ['REDIS_TLS_CA_FILE: holds no certificate in PEM form.'],
    ],
  ]
  for (const [what, environment, mistakes] of cases)
    it(what, () => {
      assert.deepEqual(listMistakes(environment), mistakes)
    })
})
