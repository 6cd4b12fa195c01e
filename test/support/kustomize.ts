/**
 * Renders a folder of `k8s/` as `kubectl kustomize` does, with exactly the features that are used there: resources (files and
 * folders), components, patches that are strategic merges in files, namespace, images. Anything else in a kustomization.yaml is refused.
 * Kustomize itself comes from no registry that our tests may depend on; where it is there, a test compares the two.
 */
import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { parseAllDocuments } from 'yaml'

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }
type Fields = { [key: string]: Json }

export interface KubernetesObject extends Fields {
  apiVersion: string
  kind: string
  metadata: { name: string; namespace?: string; labels?: { [label: string]: string } }
}

interface Kustomization {
  readonly apiVersion: string
  readonly kind: string
  readonly namespace?: string
  readonly resources?: readonly string[]
  readonly components?: readonly string[]
  readonly patches?: readonly { readonly path: string }[]
  readonly images?: readonly Image[]
}

interface Image {
  readonly name: string
  readonly newName: string
  readonly newTag?: string
  readonly digest?: string
}

const known = new Set(['apiVersion', 'kind', 'namespace', 'resources', 'components', 'patches', 'images'])
/** Kinds without a namespace, of those that we have. */
const clusterWide = new Set(['Namespace'])
/** Keys of the items in a list, by the list's name; a list of another name is replaced as a whole. */
const itemKeys: Readonly<Record<string, string>> = {
  containers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
}

/** @throws when the folder uses what is not known here, or a patch meets nothing */
export function renderKustomization(folder: string): KubernetesObject[] {
  return renderOver([], folder, 'Kustomization')
}

/** Applies a component to the objects of who takes it in, or renders a folder of its own. */
function renderOver(taken: KubernetesObject[], folder: string, kind: string): KubernetesObject[] {
  const file = path.join(folder, 'kustomization.yaml')
  const [kustomization] = readDocuments(file) as unknown as Kustomization[]
  if (kustomization === undefined) throw new Error(`${file} is empty`)
  const strange = Object.keys(kustomization).filter((field) => !known.has(field))
  if (strange.length > 0) throw new Error(`${file}: ${strange.join(', ')} is not known to this renderer`)
  if (kustomization.kind !== kind) throw new Error(`${file} is a ${kustomization.kind}, and not a ${kind}`)
  const own = (kustomization.resources ?? []).flatMap((resource) => readResource(path.join(folder, resource)))
  let objects = [...taken, ...own]
  for (const component of kustomization.components ?? [])
    objects = renderOver(objects, path.join(folder, component), 'Component')
  for (const patch of kustomization.patches ?? []) {
    const unknownFields = Object.keys(patch).filter((field) => field !== 'path')
    if (unknownFields.length > 0) throw new Error(`${file}: ${unknownFields.join(', ')} of a patch is not known`)
    for (const change of readObjects(path.join(folder, patch.path))) applyPatch(objects, change)
  }
  for (const object of objects) {
    if (kustomization.namespace !== undefined) setNamespace(object, kustomization.namespace)
    for (const image of kustomization.images ?? []) setImage(object, image)
  }
  return objects
}

function readResource(place: string): KubernetesObject[] {
  return statSync(place).isDirectory() ? renderKustomization(place) : readObjects(place)
}

function readObjects(file: string): KubernetesObject[] {
  return readDocuments(file).map((document) => {
    const { apiVersion, kind, metadata } = document as Partial<KubernetesObject>
    if (!apiVersion || !kind || !metadata?.name)
      throw new Error(`${file}: apiVersion, kind or metadata.name is missing`)
    return document as KubernetesObject
  })
}

/** @throws at anything that YAML only warns of, at a key that stands there twice, and at values that JSON does not have */
function readDocuments(file: string): Fields[] {
  return parseAllDocuments(readFileSync(file, 'utf8'), { uniqueKeys: true, strict: true, version: '1.2' }).map(
    (document) => {
      const [trouble] = [...document.errors, ...document.warnings]
      if (trouble !== undefined) throw new Error(`${file}: ${trouble.message}`)
      return document.toJS({ maxAliasCount: 100 }) as Fields
    },
  )
}

function applyPatch(objects: KubernetesObject[], change: KubernetesObject): void {
  const target = objects.find(
    (object) =>
      object.apiVersion === change.apiVersion &&
      object.kind === change.kind &&
      object.metadata.name === change.metadata.name,
  )
  if (target === undefined) throw new Error(`The patch of ${change.kind} ${change.metadata.name} meets nothing`)
  mergeFields(target, change)
}

/** A map goes into a map, a list with keys into a list, anything else takes the place of what is there; null removes it. */
function mergeFields(target: Fields, change: Fields): void {
  for (const [field, value] of Object.entries(change)) {
    const present = target[field]
    if (value === null) delete target[field]
    else if (isFields(value) && isFields(present)) mergeFields(present, value)
    else if (Array.isArray(value) && Array.isArray(present) && itemKeys[field] !== undefined)
      mergeItems(present, value, itemKeys[field])
    else target[field] = value
  }
}

function mergeItems(target: Json[], change: readonly Json[], key: string): void {
  for (const item of change) {
    if (!isFields(item)) throw new Error(`An item without a field ${key}`)
    const present = target.find((one) => isFields(one) && one[key] === item[key])
    if (isFields(present)) mergeFields(present, item)
    else target.push(item)
  }
}

function setNamespace(object: KubernetesObject, namespace: string): void {
  if (object.kind === 'Namespace') object.metadata.name = namespace
  else if (!clusterWide.has(object.kind)) object.metadata.namespace = namespace
}

function setImage(value: Json, image: Image): void {
  if (Array.isArray(value)) for (const item of value) setImage(item, image)
  else if (isFields(value))
    for (const [field, inner] of Object.entries(value)) {
      // A name that another overlay has set has its tag.
      if (field === 'image' && typeof inner === 'string' && inner.replace(/:[\w.-]+$|@.*$/, '') === image.name)
        value[field] = imageName(image)
      else setImage(inner, image)
    }
}

function imageName({ newName, newTag, digest }: Image): string {
  return digest === undefined ? `${newName}:${newTag}` : `${newName}@${digest}`
}

function isFields(value: Json | undefined): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
