/** App state collections (`w:sync:app:state`): versions and patches, opaque to the server, in order. */
import { proto } from '@whiskeysockets/baileys'
import { blobOnMediaHost } from '../media/blob.js'
import { bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import type { Account, Device, Session } from './model.js'
import type { Network } from './network.js'

/** Encoded SyncdPatches; the patch at index n leads to version n + 1. */
type Collection = Uint8Array[]

/** Patches in the form in which they are given, where their content lies on the media host. */
const given = new WeakMap<Uint8Array, Uint8Array>()

const collections = new WeakMap<Account, Map<string, Collection>>()

export function handleAppState(network: Network, session: Session, iq: Node): Node[] {
  const { device } = session
  const answers = children(child(iq, 'sync'), 'collection').map((asked) => {
    const name = asked.attrs.name ?? ''
    const version = Number(asked.attrs.version ?? 0)
    const collection = takeCollection(device.account, name)
    const patch = child(asked, 'patch')
    if (!patch) return collectionNode(name, collection, version)
    const refusal = network.faults.appStateRefusal(device)
    if (refusal !== undefined) return conflictNode(name, collection, version, refusal)
    if (version !== collection.length) return conflictNode(name, collection, version)
    addPatch(network, device, name, bytes(patch))
    return node('collection', { name, type: 'result', version: String(collection.length) })
  })
  return [node('sync', {}, answers)]
}

/** Appends a patch (an encoded SyncdPatch) and tells the account's other devices. */
export function addPatch(network: Network, author: Device, name: string, encoded: Uint8Array): void {
  const collection = takeCollection(author.account, name)
  const patch = proto.SyncdPatch.decode(encoded)
  patch.version = { version: collection.length + 1 }
  const stored = proto.SyncdPatch.encode(patch).finish()
  collection.push(stored)
  const version = String(collection.length)
  const tell = (): void => tellOthers(network, author, name, version)
  if (network.blobsOnMediaHost)
    void withoutContent(network, patch)
      .then((form) => void given.set(stored, form))
      .then(tell)
  else tell()
}

/** Moves the content of a patch to the media host. */
async function withoutContent(network: Network, patch: proto.SyncdPatch): Promise<Uint8Array> {
  const content = Buffer.from(proto.SyncdMutations.encode({ mutations: patch.mutations }).finish())
  const { fileLength, ...blob } = await blobOnMediaHost(network.media, content, 'md-app-state')
  const externalMutations = { ...blob, fileSizeBytes: fileLength }
  return proto.SyncdPatch.encode({ ...patch, mutations: [], externalMutations }).finish()
}

function tellOthers(network: Network, author: Device, name: string, version: string): void {
  for (const device of author.account.devices.values()) {
    if (device === author || device.id === 0) continue
    const attributes = { from: author.account.jid('pn'), type: 'server_sync', id: network.makeId(), t: nowSeconds() }
    const changed = node('collection', { name, version })
    network.deliver(device, node('notification', attributes, [changed]))
  }
}

/** The patches after a version, with the versions to which they lead; for the phone, which lives in this process. */
export function patchesSince(account: Account, name: string, version: number): proto.SyncdPatch[] {
  return takeCollection(account, name)
    .slice(version)
    .map((patch) => proto.SyncdPatch.decode(patch))
}

function takeCollection(account: Account, name: string): Collection {
  let all = collections.get(account)
  if (!all) {
    all = new Map()
    collections.set(account, all)
  }
  let collection = all.get(name)
  if (!collection) {
    collection = []
    all.set(name, collection)
  }
  return collection
}

function collectionNode(name: string, collection: Collection, since: number): Node {
  const patches = collection.slice(since).map((patch) => node('patch', {}, given.get(patch) ?? patch))
  const content = patches.length > 0 ? [node('patches', {}, patches)] : []
  return node('collection', { name, version: String(collection.length), has_more_patches: 'false' }, content)
}

function conflictNode(name: string, collection: Collection, since: number, code = 409): Node {
  const { content } = collectionNode(name, collection, since)
  const error = node('error', { code: String(code), text: 'conflict' })
  return node('collection', { name, type: 'error', version: String(collection.length) }, [
    error,
    ...(Array.isArray(content) ? content : []),
  ])
}
