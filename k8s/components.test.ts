import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { parse } from 'yaml'
import { packageRoot, packageVersion } from '../lib/package-root.js'
import { readConfig } from '../runtime/config.js'
import { invalidBySchema, unknownFields } from '../test/support/kubernetes-types.js'
import type { KubernetesObject } from '../test/support/kustomize.js'
import {
  type Container,
  components,
  findPod,
  findSpec,
  readEnvironment,
  rendered,
  renderedWith,
} from '../test/support/manifests.js'
import { alerts } from '../test/support/monitoring.js'

/** Objects of the Prometheus operator, whose types are no part of Kubernetes. */
const isOperators = ({ apiVersion }: KubernetesObject): boolean => apiVersion.startsWith('monitoring.coreos.com/')

describe('the components of the manifests', () => {
  const all = renderedWith('production', components)
  const isAdded = ({ kind, metadata }: KubernetesObject): boolean =>
    !rendered('production').some((one) => one.kind === kind && one.metadata.name === metadata.name)

  it('are valid by the schemas of their API types, all together, and have no field that their type does not have', async () => {
    const known = all.filter((object) => !isOperators(object))
    for (const object of known) assert.equal(await invalidBySchema(object), undefined, object.kind)
    assert.deepEqual(await unknownFields(known), [])
    assert.deepEqual(new Set(all.filter(isAdded).map(({ metadata }) => metadata.namespace)), new Set(['posthorn']))
  })

  it('fit each into an installation alone, and are listed where one chooses', () => {
    const choices = readFileSync(path.join(packageRoot, 'k8s/production/kustomization.yaml'), 'utf8')
    const readme = readFileSync(path.join(packageRoot, 'k8s/README.md'), 'utf8')
    for (const name of components) {
      const objects = renderedWith('production', [name])
      assert.ok(objects.some(isAdded), name)
      assert.doesNotThrow(() => readConfig(readEnvironment(objects)), name)
      assert.ok(choices.includes(`#   - ../components/${name}\n`) && readme.includes(`\`${name}\``), name)
    }
  })

  it('have all of their files in their kustomization', () => {
    for (const name of components) {
      const folder = path.join(packageRoot, 'k8s/components', name)
      const text = readFileSync(path.join(folder, 'kustomization.yaml'), 'utf8')
      const { resources, patches = [] } = parse(text) as { resources: string[]; patches?: { path: string }[] }
      const named = [...resources, ...patches.map((patch) => patch.path), 'kustomization.yaml']
      assert.deepEqual(readdirSync(folder).toSorted(), named.toSorted(), name)
    }
  })

  it('lead from the ingress to the Service, under one host with TLS that links have, too', () => {
    const { rules, tls } = findSpec<{ rules: IngressRule[]; tls: { hosts: string[] }[] }>(all, 'Ingress')
    const [rule] = rules
    const backend = rule?.http.paths[0]?.backend.service
    assert.deepEqual(backend, { name: 'posthorn', port: { name: 'http' } })
    const { ports } = findSpec<{ ports: { name: string }[] }>(all, 'Service')
    assert.deepEqual(
      ports.map(({ name }) => name),
      ['http'],
    )
    assert.deepEqual(tls[0]?.hosts, [rule?.host])
    assert.equal(readConfig(readEnvironment(all)).http.publicUrl, `https://${rule?.host}`)
  })

  it('tell the Prometheus operator of the same alerts, and where the nodes are', () => {
    const { groups } = findSpec<{ groups: { rules: unknown[] }[] }>(all, 'PrometheusRule')
    assert.deepEqual(
      groups.flatMap(({ rules }) => rules),
      alerts,
    )
    const monitor = findSpec<PodMonitor>(all, 'PodMonitor')
    assert.deepEqual(
      monitor.selector,
      findSpec<{ selector: unknown }>(
        all.filter(({ kind }) => kind === 'Deployment'),
        'Deployment',
      ).selector,
    )
    const [endpoint] = monitor.podMetricsEndpoints
    assert.ok(findPod(all).containers[0].ports.some(({ name }) => name === endpoint?.port))
    assert.deepEqual(endpoint?.authorization.credentials, { name: 'posthorn', key: 'METRICS_TOKEN' })
    // The alerts look for it, and the operator takes it from the label of the pod.
    assert.equal(monitor.jobLabel, 'app.kubernetes.io/name')
  })

  it('back up with settings that the gateway accepts, as the "restricted" level of Kubernetes asks for', () => {
    const { jobTemplate } = findSpec<CronJob>(all, 'CronJob', 'posthorn-backup')
    const { spec, metadata } = jobTemplate.spec.template
    const [container] = spec.containers
    assert.equal(container.image, `registry.example.org/posthorn-backup:${packageVersion}`)
    assert.match(container.args.join(' '), /^node dist\/backup\.js backup --in \/backups --keep \d+ --without-keys$/)
    assert.equal(spec.securityContext.runAsNonRoot, true)
    assert.deepEqual(container.securityContext, findPod(all).containers[0].securityContext)
    const secrets: Record<string, string> = {
      DATABASE_URL: 'postgresql://a:b@db/c',
      ENCRYPTION_KEY: Buffer.alloc(32).toString('base64'),
    }
    const environment = container.env.map(({ name, value }) => [name, value ?? secrets[name] ?? ''])
    assert.equal(readConfig(Object.fromEntries(environment)).media.storage, 'none')
    const policy = findSpec<{ podSelector: { matchLabels: unknown } }>(all, 'NetworkPolicy', 'posthorn-backup')
    assert.deepEqual(policy.podSelector.matchLabels, metadata.labels)
    const claims = all.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata: { name } }) => name)
    assert.deepEqual(
      spec.volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
      claims,
    )
  })

  it('let OpenShift choose the user, and add to the policies only what they are for', () => {
    const { securityContext } = findPod(renderedWith('production', ['openshift']))
    assert.deepEqual([securityContext.runAsUser, securityContext.runAsGroup], [undefined, undefined])
    assert.equal(securityContext.runAsNonRoot, true)
    const ports = (name: string): string[] =>
      [...JSON.stringify(findSpec(all, 'NetworkPolicy', name)).matchAll(/"port":(\d+)/g)].map(([, port = '']) => port)
    assert.deepEqual(ports('posthorn-node-local-dns'), ['53', '53'])
    assert.deepEqual(ports('posthorn-openshift-dns'), ['5353', '5353'])
    const { webhooks, chatwoot } = readConfig(readEnvironment(all))
    assert.deepEqual(
      webhooks.privateHosts.map((host) => host.split(':')[1]),
      ports('posthorn-n8n'),
    )
    assert.deepEqual(
      chatwoot.privateHosts.map((host) => host.split(':')[1]),
      ports('posthorn-chatwoot'),
    )
  })

  it('and overlays take images by their digest', () => {
    const digest = `sha256:${'a'.repeat(64)}`
    const images = [{ name: 'registry.example.org/posthorn', newName: 'registry.example.org/posthorn', digest }]
    // The name of an image that an overlay has set has its tag: kustomize looks for the name without it.
    const objects = renderedWith('production', [], { images })
    assert.equal(findPod(objects).containers[0].image, `registry.example.org/posthorn@${digest}`)
  })
})

interface IngressRule {
  readonly host: string
  readonly http: { readonly paths: readonly { readonly backend: { readonly service: unknown } }[] }
}

interface PodMonitor {
  readonly selector: unknown
  readonly jobLabel: string
  readonly podMetricsEndpoints: readonly {
    readonly port: string
    readonly authorization: { readonly credentials: unknown }
  }[]
}

interface CronJob {
  readonly jobTemplate: {
    readonly spec: {
      readonly template: {
        readonly metadata: { readonly labels: unknown }
        readonly spec: {
          readonly securityContext: { readonly runAsNonRoot: boolean }
          readonly containers: readonly [
            Pick<Container, 'image' | 'env' | 'securityContext'> & { readonly args: readonly string[] },
          ]
          readonly volumes: readonly { readonly persistentVolumeClaim?: { readonly claimName: string } }[]
        }
      }
    }
  }
}
