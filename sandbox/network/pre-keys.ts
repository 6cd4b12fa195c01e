/** Pre-keys (`xmlns="encrypt"`): count, upload, digest, rotation and fetch. */
import { bigEndian, bytes, child, children, type Node, node, nowSeconds } from '../wire/nodes.js'
import { IqError } from './iq-error.js'
import type { Device, PublicPreKey, Session } from './model.js'
import type { Network } from './network.js'

const KEY_TYPE = Buffer.from([5])
// Below this a client is asked to upload more (Baileys: MIN_PREKEY_COUNT).
const LOW_COUNT = 5

export function handleEncrypt(network: Network, session: Session, iq: Node): Node[] {
  const { device } = session
  if (iq.attrs.type === 'get') {
    if (child(iq, 'count')) return [node('count', { value: String(device.preKeys.size) })]
    if (child(iq, 'digest')) return [node('digest', {}, createDigest(device))]
    const wanted = children(child(iq, 'key'), 'user').map(({ attrs }) => attrs.jid ?? '')
    return [
      node(
        'list',
        {},
        wanted.map((jid) => bundleFor(network, jid)),
      ),
    ]
  }
  const rotated = child(iq, 'rotate')
  if (rotated) device.signedPreKey = readSignedPreKey(child(rotated, 'skey'))
  else upload(device, iq)
  return []
}

function upload(device: Device, iq: Node): void {
  const identity = bytes(child(iq, 'identity'))
  if (!identity.equals(device.identityKey)) throw new IqError(406, 'not-acceptable')
  device.signedPreKey = readSignedPreKey(child(iq, 'skey'))
  device.preKeys.add(
    children(child(iq, 'list'), 'key').map((key) => ({
      id: bytes(child(key, 'id')),
      publicKey: bytes(child(key, 'value')),
    })),
  )
  device.preKeysAskedFor = false
}

function readSignedPreKey(skey: Node | undefined) {
  const id = bytes(child(skey, 'id'))
  if (id.byteLength !== 3) throw new IqError(400, 'bad-request')
  return {
    id: id.readUIntBE(0, 3),
    publicKey: bytes(child(skey, 'value')),
    signature: bytes(child(skey, 'signature')),
  }
}

function createDigest(device: Device): Node[] {
  return [
    node('registration', {}, bigEndian(device.registrationId, 4)),
    node('type', {}, KEY_TYPE),
    node('identity', {}, device.identityKey),
    signedPreKeyNode(device),
  ]
}

/** A device's bundle for a new session; an unknown device is an error of its own within the answer. */
function bundleFor(network: Network, jid: string): Node {
  const device = network.directory.device(jid)
  if (!device) return node('user', { jid }, [node('error', { code: '404', text: 'item-not-found' })])
  const content = [
    node('registration', {}, bigEndian(device.registrationId, 4)),
    node('type', {}, KEY_TYPE),
    node('identity', {}, device.identityKey),
    signedPreKeyNode(device),
  ]
  const oneTime = takeOneTimeKey(network, device)
  if (oneTime) {
    content.push(node('key', {}, [node('id', {}, bigEndian(oneTime.id, 3)), node('value', {}, oneTime.publicKey)]))
  }
  return node('user', { jid, t: nowSeconds() }, content)
}

function signedPreKeyNode({ signedPreKey }: Device): Node {
  return node('skey', {}, [
    node('id', {}, bigEndian(signedPreKey.id, 3)),
    node('value', {}, signedPreKey.publicKey),
    node('signature', {}, signedPreKey.signature),
  ])
}

/** Hands out a one-time key for a new session with the device and asks the device for more when few are left. */
export function takeOneTimeKey(network: Network, device: Device): PublicPreKey | undefined {
  if (device.id === 0) return device.account.primary?.takePreKey()
  const key = device.preKeys.take()
  if (device.preKeys.size < LOW_COUNT && !device.preKeysAskedFor) {
    device.preKeysAskedFor = true
    network.deliver(
      device,
      node('notification', { from: '@s.whatsapp.net', type: 'encrypt', id: network.makeId(), t: nowSeconds() }, [
        node('count', { value: String(device.preKeys.size) }),
      ]),
    )
  }
  return key
}
