/**
 * Checks the nodes next to a menu, which the server cannot read itself. Measured in pull request 1235 of
 * tulir/whatsmeow: without `biz` the message is taken, and no client shows it (`phones/menus.ts`); with `buttons` in it the answer is
 * 405, with a bare `interactive` 479. That `order_details` is answered with 473 was told by several programs; that some accounts may send it, too.
 */
import { child, children, type Node } from '../wire/nodes.js'

const [NOT_TAKEN, WRONG_FORM, NO_PAYMENTS] = [405, 479, 473]

/** Names of native flows, and the version that each has. */
const NATIVE_FLOWS: ReadonlyMap<string, string> = new Map([
  ['mixed', '9'],
  ['send_location', '2'],
])

/** The error code with which a message is refused for its nodes, if it is. */
export function menuRefusal(stanza: Node, mayRequestPayments: boolean): number | undefined {
  const biz = child(stanza, 'biz')
  if (!biz) return undefined
  if (child(biz, 'buttons')) return NOT_TAKEN
  if (child(biz, 'list')) return isProductList(child(biz, 'list')) ? undefined : WRONG_FORM
  const interactive = child(biz, 'interactive')
  const flow = child(interactive, 'native_flow')
  if (interactive?.attrs.type !== 'native_flow' || interactive.attrs.v !== '1' || !flow) return WRONG_FORM
  if (flow.attrs.name === 'order_details') return mayRequestPayments ? undefined : NO_PAYMENTS
  if (flow.attrs.name === 'payment_info') return undefined
  const isWhole =
    NATIVE_FLOWS.get(flow.attrs.name ?? '') === flow.attrs.v && children(biz, 'quality_control').length === 1
  return isWhole ? undefined : WRONG_FORM
}

/** The kind of menu for which a message carries the nodes; `null` when it carries none. */
export function announcedMenu(stanza: Node): 'list' | 'payment' | 'order' | 'location' | 'native' | null {
  const biz = child(stanza, 'biz')
  if (isProductList(child(biz, 'list'))) return 'list'
  const flow = child(child(biz, 'interactive'), 'native_flow')
  if (!flow) return null
  switch (flow.attrs.name) {
    case 'payment_info':
      return 'payment'
    case 'order_details':
      return 'order'
    case 'send_location':
      return 'location'
    default:
      return 'native'
  }
}

function isProductList(list: Node | undefined): boolean {
  return list?.attrs.type === 'product_list' && list.attrs.v === '2'
}
