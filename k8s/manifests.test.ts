import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parseAllDocuments } from 'yaml'
import { packageRoot } from '../lib/package-root.js'
import { invalidBySchema, unknownFields } from '../test/support/kubernetes-types.js'
import type { KubernetesObject } from '../test/support/kustomize.js'
import { type Container, findPod, findSpec, overlays, rendered } from '../test/support/manifests.js'

const run = promisify(execFile)

describe('the manifests', () => {
  it('the policy for proxies, which is taken in where it is wanted, is valid and covers the pods', async () => {
    const file = path.join(packageRoot, 'k8s', 'production', 'network-policy-proxies.yaml')
    const [policy] = parseAllDocuments(readFileSync(file, 'utf8')).map((one) => one.toJS() as KubernetesObject)
    assert.ok(policy !== undefined)
    assert.equal(await invalidBySchema(policy), undefined)
    assert.deepEqual(await unknownFields([policy]), [])
    const stores = rendered('production').find(({ metadata }) => metadata.name === 'posthorn-stores')
    const { podSelector } = (policy as unknown as { spec: { podSelector: unknown } }).spec
    assert.deepEqual(podSelector, (stores as unknown as { spec: { podSelector: unknown } }).spec.podSelector)
  })

  for (const overlay of overlays) {
    const objects = rendered(overlay)

    it(`${overlay}: each object is valid by the schema of its API type`, async () => {
      for (const object of objects) assert.equal(await invalidBySchema(object), undefined, object.kind)
    })

    it(`${overlay}: no object has a field that its type does not have`, async () => {
      assert.deepEqual(await unknownFields(objects), [])
    })

    it(`${overlay}: what names something names what is there`, () => {
      const labels = { 'app.kubernetes.io/name': 'posthorn' }
      const { selector, template } = findSpec<{
        selector: { matchLabels: unknown }
        template: { metadata: { labels: unknown } }
      }>(objects, 'Deployment')
      assert.deepEqual(selector.matchLabels, labels)
      assert.deepEqual(template.metadata.labels, labels)
      const pod = findPod(objects)
      const ports = pod.containers[0].ports.map(({ name }) => name)
      const service = findSpec<{ selector: unknown; ports: { targetPort: string }[] }>(objects, 'Service')
      assert.deepEqual(service.selector, labels)
      for (const { targetPort } of service.ports) assert.ok(ports.includes(targetPort), targetPort)
      const policy = JSON.stringify(findSpec(objects, 'NetworkPolicy'))
      for (const [, port = ''] of policy.matchAll(/"port":"([^"]+)"/g)) assert.ok(ports.includes(port), port)
      const claims = objects.filter(({ kind }) => kind === 'PersistentVolumeClaim').map(({ metadata }) => metadata.name)
      const volumes = pod.volumes ?? []
      assert.deepEqual(
        volumes.flatMap(({ persistentVolumeClaim }) => persistentVolumeClaim?.claimName ?? []),
        claims,
      )
      const mounts = pod.containers[0].volumeMounts ?? []
      assert.deepEqual(
        mounts.map(({ name }) => name),
        volumes.map(({ name }) => name),
      )
      const namespaces = objects.map(({ kind, metadata }) =>
        kind === 'Namespace' ? metadata.name : metadata.namespace,
      )
      assert.deepEqual(new Set(namespaces), new Set(['posthorn']))
    })

    it(`${overlay}: the pod is what the "restricted" level of Kubernetes asks for, on a read-only root`, () => {
      const { securityContext, containers, automountServiceAccountToken } = findPod(objects)
      assert.equal(securityContext.runAsNonRoot, true)
      assert.ok(Number(securityContext.runAsUser) > 0)
      assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' })
      assert.equal(automountServiceAccountToken, false)
      assert.deepEqual(containers[0].securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const namespace = objects.find(({ kind }) => kind === 'Namespace')
      assert.equal(namespace?.metadata.labels?.['pod-security.kubernetes.io/enforce'], 'restricted')
    })

    it(`${overlay}: no secret stands in a manifest`, () => {
      const secretNames = /TOKEN|SECRET|KEY|PASSWORD|_URL$/
      for (const { name, value, valueFrom } of findPod(objects).containers[0].env) {
        if (!secretNames.test(name)) continue
        assert.equal(value, undefined, name)
        assert.deepEqual(valueFrom?.secretKeyRef, { name: 'posthorn', key: name })
      }
      assert.ok(!objects.some(({ kind }) => kind === 'Secret'))
    })

    it(`${overlay}: kustomize renders the same, where it is there`, async (t) => {
      const real = await renderedByKustomize(path.join(packageRoot, 'k8s', overlay))
      if (real === undefined) t.skip('there is no kustomize and no kubectl here, or they are too old')
      else assert.deepEqual(real.map(inOrder).toSorted(byKind), objects.map(inOrder).toSorted(byKind))
    })
  }

  it('are in files that some kustomization names', () => {
    const named = new Set(overlays.flatMap(rendered).map(({ kind, metadata }) => `${kind} ${metadata.name}`))
    assert.ok(named.has('PodDisruptionBudget posthorn') && named.has('HorizontalPodAutoscaler posthorn'))
    const files = ['base', ...overlays].flatMap((folder) => readdirSync(path.join(packageRoot, 'k8s', folder)))
    assert.equal(files.filter((file) => !file.endsWith('.yaml')).length, 0)
  })
})

describe('the checks of the manifests', () => {
  it('refuse what Kubernetes would refuse, or silently drop', async () => {
    const deployment = rendered('production').find(({ kind }) => kind === 'Deployment') as KubernetesObject
    const container = findPod([deployment]).containers[0] as unknown as Record<string, Record<string, unknown>>
    container.livenessProbe = { ...container.livenessProbe, periodSecond: 3 }
    const [unknown, ...others] = await unknownFields([deployment])
    assert.match(unknown ?? '', /'"periodSecond"' does not exist in type 'IProbe'/)
    assert.deepEqual(others, [])
    ;(container as unknown as { ports: unknown }).ports = [{ name: 'http', containerPort: 'http' }]
    assert.match((await invalidBySchema(deployment)) ?? '', /containerPort must be integer/)
    await assert.rejects(invalidBySchema({ ...deployment, apiVersion: 'apps/v7' }))
  })
})

async function renderedByKustomize(folder: string): Promise<KubernetesObject[] | undefined> {
  for (const [program, ...args] of [
    ['kustomize', 'build'],
    ['kubectl', 'kustomize'],
  ] as const) {
    if (!(await isNewEnough(program))) continue
    const { stdout } = await run(program, [...args, folder])
    return parseAllDocuments(stdout).map((document) => document.toJS() as KubernetesObject)
  }
  return undefined
}

/** Kustomize 5: what older ones make of the same file is not always the same. */
async function isNewEnough(program: 'kustomize' | 'kubectl'): Promise<boolean> {
  try {
    const { stdout } = await run(program, program === 'kubectl' ? ['version', '--client'] : ['version'])
    return /(^|Kustomize Version: )v5\./m.test(stdout)
  } catch {
    return false
  }
}

/** Kustomize puts what a patch adds to a list before what was there; the order says nothing in those of a container. */
function inOrder(object: KubernetesObject): KubernetesObject {
  if (object.kind === 'Deployment') {
    const container = findPod([object]).containers[0] as Container & { env: unknown }
    container.env = container.env.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  return object
}

function byKind(a: KubernetesObject, b: KubernetesObject): number {
  return `${a.kind} ${a.metadata.name}` < `${b.kind} ${b.metadata.name}` ? -1 : 1
}
