import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { LOGIN_RATE_START } from '../actors/login-rate.js'
import { routes } from '../api/routes.js'
import { settings } from '../runtime/config/reader.js'
import { readConfig } from '../runtime/config.js'
import { AFTER_DRAIN_MS, startTimeoutDefaultMs } from '../runtime/lifecycle.js'
import {
  findConfigMap,
  findPod,
  findSpec,
  limitSettings,
  overlays,
  type Probe,
  quantity,
  readEnvironment,
  rendered,
} from '../test/support/manifests.js'

interface Autoscaler {
  readonly minReplicas: number
  readonly maxReplicas: number
  readonly metrics: readonly {
    readonly pods: { readonly metric: { readonly name: string }; readonly target: { readonly averageValue: string } }
  }[]
}

describe('the numbers of the manifests agree with those of the program', () => {
  for (const overlay of overlays) {
    const objects = rendered(overlay)
    const pod = findPod(objects)
    const [container] = pod.containers
    const config = () => readConfig(readEnvironment(objects))

    it(`${overlay}: the program takes the environment`, () => {
      assert.equal(config().http.host, '0.0.0.0')
      assert.equal(config().cluster.nodeId, 'posthorn-6d5f7c9b8-x2x4z')
      assert.equal(config().cluster.nodeAddress, '10.1.2.3')
    })

    it(`${overlay}: the ConfigMap has each limit of instances, with the default of the program`, () => {
      const defaults = limitSettings.map((name) => [name, String(settings.get(name)?.default ?? '')])
      assert.deepEqual(findConfigMap(objects), Object.fromEntries(defaults))
    })

    it(`${overlay}: the ports are those that it listens on`, () => {
      const { http, cluster } = config()
      assert.deepEqual(
        container.ports.map(({ name, containerPort }) => [name, containerPort]),
        [
          ['http', http.port],
          ['peer', cluster.peerPort],
          ['health', cluster.healthPort],
        ],
      )
    })

    it(`${overlay}: the probes ask for what it serves, without a token`, () => {
      for (const { httpGet } of [container.startupProbe, container.readinessProbe]) {
        assert.equal(httpGet.port, 'http')
        const route = routes.find(({ method, path }) => method === 'GET' && path === httpGet.path)
        assert.equal(route?.auth, 'none', httpGet.path)
      }
      // Served by a thread (runtime/cluster/watchdog/).
      const { path, port } = container.livenessProbe.httpGet
      assert.deepEqual([path, port], ['/health', 'health'])
    })

    it(`${overlay}: the grace period is the shutdown, what comes before it, and 10 s`, () => {
      const { shutdownTimeoutMs } = config().cluster
      assert.equal(
        pod.terminationGracePeriodSeconds,
        container.lifecycle.preStop.sleep.seconds + shutdownTimeoutMs / 1000 + 10,
      )
    })

    it(`${overlay}: a node that leaves answers for longer than a balancer needs to notice`, () => {
      assert.ok(config().cluster.shutdownNoticeMs > patienceMs(container.readinessProbe))
    })

    it(`${overlay}: a start may be as slow as two of its parts may be`, () => {
      assert.ok(patienceMs(container.startupProbe) > 2 * startTimeoutDefaultMs)
    })

    it(`${overlay}: a pod that gets no CPU for as long as a node may be blocked is not restarted`, () => {
      const { mainSilenceMs } = config().cluster.timing
      assert.ok(patienceMs(container.livenessProbe) > mainSilenceMs)
    })
  }

  it('production: a pod that is full can be emptied by a single other one in half of the time that it has', () => {
    const { cluster, instances } = readConfig(readEnvironment(rendered('production')))
    const drainMs = cluster.shutdownTimeoutMs - AFTER_DRAIN_MS
    assert.ok(drainMs >= (2 * 1000 * instancesPerPod()) / (instances.loginRatePerSecond ?? LOGIN_RATE_START))
    const { minReadySeconds } = findSpec<{ minReadySeconds: number }>(rendered('production'), 'Deployment')
    assert.ok(minReadySeconds >= instancesPerPod() / (instances.loginRatePerSecond ?? LOGIN_RATE_START))
  })

  it('production: the limit of instances is what the largest number of pods holds', () => {
    const { instances } = readConfig(readEnvironment(rendered('production')))
    assert.equal(instances.max, autoscaler().maxReplicas * instancesPerPod())
  })

  it('production: a pod asks for the memory that its idle instances need', () => {
    const { requests, limits } = findPod(rendered('production')).containers[0].resources
    const idle = quantity('130Mi') + instancesPerPod() * quantity('330Ki')
    assert.ok(quantity(requests.memory) > idle)
    assert.ok(quantity(limits.memory ?? '') > 2 * idle)
  })
})

/** How long a probe may fail before something follows. */
function patienceMs({ periodSeconds, failureThreshold }: Probe): number {
  return periodSeconds * failureThreshold * 1000
}

function autoscaler(): Autoscaler {
  return findSpec<Autoscaler>(rendered('production'), 'HorizontalPodAutoscaler')
}

function instancesPerPod(): number {
  const metric = autoscaler().metrics.find(({ pods }) => pods.metric.name === 'posthorn_connected_instances')
  return quantity(metric?.pods.target.averageValue ?? '')
}
