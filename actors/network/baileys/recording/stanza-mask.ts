import type { BinaryNode } from '@whiskeysockets/baileys'

/** A stanza as a recording holds it. */
export interface MaskedStanza {
  /** `?` for a tag that is not on the list. */
  readonly tag: string
  readonly attrs?: Readonly<Record<string, string>>
  /** Number of attributes that are not on the list. */
  readonly otherAttrs?: number
  /** `true` in place of bytes or a text. */
  readonly content?: readonly MaskedStanza[] | true
  /** Number of children that were left out. */
  readonly cut?: number
}

/** Servers of addresses, with the placeholder for the part before the `@`. */
const SERVERS: ReadonlyMap<string, string> = new Map([
  ['s.whatsapp.net', 'person'],
  ['c.us', 'person'],
  ['lid', 'person'],
  ['hosted', 'person'],
  ['hosted.lid', 'person'],
  ['bot', 'person'],
  ['g.us', 'group'],
  ['newsletter', 'channel'],
  ['broadcast', 'list'],
  ['call', 'call'],
])

const CHILDREN_MAX = 64
const DEPTH_MAX = 16
// Bound: 65,536, a line of a recording.
const ADDRESS = /^([^@:]*)(?::(\d{1,2}))?@([a-z.]+)$/
// Bound: 65,536, a line of a recording.
const SMALL_NUMBER = /^\d{1,4}$/

/**
 * Takes from stanzas everything that could identify a person, a message or a key. Only known tags, attributes and words stay. Ids and
 * addresses become placeholders: the same id or address gets the same placeholder in all stanzas of one mask.
 */
export class StanzaMask {
  readonly #placeholders = new Map<string, string>()
  readonly #counts = new Map<string, number>()

  mask(stanza: BinaryNode, depth = 0): MaskedStanza {
    const { tag, content } = stanza
    const entries = Object.entries(stanza.attrs ?? {}).filter(([, value]) => value !== undefined)
    const known = entries.filter(([name]) => ATTRIBUTES.has(name))
    const attrs = Object.fromEntries(known.map(([name, value]) => [name, this.#value(name, String(value))]))
    return {
      tag: TAGS.has(tag) ? tag : '?',
      ...(known.length === 0 ? {} : { attrs }),
      ...(known.length === entries.length ? {} : { otherAttrs: entries.length - known.length }),
      ...(Array.isArray(content) ? this.#children(content, depth) : isEmpty(content) ? {} : { content: true }),
    }
  }

  #children(content: readonly BinaryNode[], depth: number): Pick<MaskedStanza, 'content' | 'cut'> {
    const kept = depth < DEPTH_MAX ? content.slice(0, CHILDREN_MAX) : []
    return {
      content: kept.map((child) => this.mask(child, depth + 1)),
      ...(kept.length === content.length ? {} : { cut: content.length - kept.length }),
    }
  }

  #value(name: string, value: string): string {
    switch (ATTRIBUTES.get(name)) {
      case 'id':
        return this.#placeholder('id', value)
      case 'address':
        return this.#address(value)
      default:
        return WORDS.has(value) || SMALL_NUMBER.test(value) ? value : this.#placeholder('word', value)
    }
  }

  #address(value: string): string {
    // Bound: 65,536, a line of a recording.
    if (SERVERS.has(value.replace(/^@/, '')) || value === '') return value
    const [, user = '', device, server = ''] = ADDRESS.exec(value) ?? []
    const kind = SERVERS.get(server)
    if (kind === undefined) return this.#placeholder('address', value)
    if (value === 'status@broadcast') return value
    return `${this.#placeholder(kind, `${user}@${server}`)}${device === undefined ? '' : `:${device}`}@${server}`
  }

  #placeholder(kind: string, value: string): string {
    const key = `${kind} ${value}`
    let placeholder = this.#placeholders.get(key)
    if (placeholder === undefined) {
      const count = (this.#counts.get(kind) ?? 0) + 1
      this.#counts.set(kind, count)
      placeholder = `${kind}${count}`
      this.#placeholders.set(key, placeholder)
    }
    return placeholder
  }
}

function isEmpty(content: unknown): boolean {
  return content === undefined || content === null || (content as { length?: number }).length === 0
}

/**
 * Tags, attributes and words that a recording may hold. Everything else is left out or replaced. The lists hold words of the protocol only: no
 * word that a person, a phone or a key can have made.
 */

const TAGS: ReadonlySet<string> = splitWords(`
  accept account ack active add addressing_mode admin after allow_non_admin_sub_group_creation announcement approve audio available
  bad_mac before biz block blocklist body bot business_hours business_hours_config business_profile buttons call cancel carousel categories
  category chatstate clean code collection collections command community companion_identity_public companion_nonce
  companion_platform_display companion_platform_id companion_server_auth_key_pub composing config conflict contact count country_code
  cover_photo create currency default decision_source default_sub_community default_sub_group delete demote description destination device
  device-identity device-list device_fanout devices digest dirty disappearing_mode disappearing_support download edge_routing enc enc_iv
  enc_p encopt encrypt end ephemeral error event extension failure fallback featured file group group_join groups handshake hash host
  host_fallback ib id identity image info interactive interactive_message invite invites ip4 ip6 iq item jid key key-index-list keygen keys
  leave lid limit limits link link_code_companion_reg link_code_pairing_nonce link_code_pairing_ref
  link_code_pairing_wrapped_companion_ephemeral_pub link_code_pairing_wrapped_key_bundle link_code_pairing_wrapped_primary_ephemeral_pub
  link_create linked_group linked_groups linked_groups_participants linked_parent list live_updates lock locked media media_conn
  member_add_mode membership_approval_mode membership_approval_request membership_approval_requests membership_requests_action message
  message_updates meta mex modify mute name native_flow net network newsletter no_frequently_forwarded not_announcement not_ephemeral
  not_spam notice notification offer offer_notice offline offline_batch offline_preview open order pair-device pair-device-sign
  pair-success parent participant participants participating passive patch patches paused payload person picture ping plaintext platform
  playback poll pre-keys preaccept preferences presence privacy primary_identity_pub profile promote prop props props_hash query received
  receipt recording recovery ref refresh registration reject relay relaylatency relaylatencies remove remove-companion-device
  reporting reporting_tag reporting_token request result retry revoke revoked_membership_requests rmr rotate routing_info row rows
  rte sections server_sync session_info set setting settings side_list signature skey snapshot spam_list stage state status status_info
  stream:error stream:features sub_group sub_group_suggestion sub_groups subject success suspended sync system tctoken te
  terminate text thread_metadata tag to token tokens transport type unarchive unavailable unblock unified_session unlink unlock unlocked
  update upload url user username usync value verified_name video view voip_settings w:gp2 web xmlstreamend
`)

/** How the value of an attribute is recorded: replaced by the placeholder of an id or an address, or kept if it is a word or a small number. */
type AttributeKind = 'id' | 'address' | 'value'

const ATTRIBUTES: ReadonlyMap<string, AttributeKind> = new Map<string, AttributeKind>([
  ...[
    ...splitWords(
      'id call-id stanza-id message_id msg_id server_id decision_id request_id phash device_hash prev v_id a_v_id',
    ),
    ...splitWords('p_v_id s_id target_id edge_id'),
  ].map((name) => [name, 'id'] as const),
  ...[
    ...splitWords(
      'from to participant recipient jid lid pn phone_number author creator creator_pn creator_lid s_o s_o_pn',
    ),
    ...splitWords(
      'call-creator caller_lid caller_pn participant_lid participant_pn sender_lid sender_pn recipient_lid',
    ),
    ...splitWords(
      'recipient_pn peer_recipient_lid peer_recipient_pn pn_jid group-jid target_sender_jid owner bot_jid user',
    ),
    ...splitWords('default_sub_group_jid linked_parent_jid parent_group_jid old_jid new_jid old_lid new_lid'),
  ].map((name) => [name, 'address'] as const),
  ...[
    ...splitWords(
      'type class xmlns mediatype edit addressing_mode reason action category state mode context error code count',
    ),
    ...splitWords(
      'offline version v value name media key-index last index protocol platform push_priority priority request query',
    ),
    ...splitWords(
      'is_hidden is_hosted full return_snapshot has_more_patches from_me link_type unlink_type stage role sub_type',
    ),
    ...splitWords(
      'device-index duration expiration trigger request_method companion_status should_show_push_notification',
    ),
    ...splitWords(
      'companion_platform decrypt-fail retry op dhash_matched hostile allow_cag config_code config_value backoff',
    ),
    ...splitWords('messages receipts notifications appdata tctoken native_flow_name biz_bot polltype thread_msg_type'),
    ...splitWords(
      'content_binding is_lid event_type verified_level side_list list_type max_retries medium rate enc net',
    ),
    ...splitWords(
      'subject_type default_membership_approval_mode abprop refresh_id companion_reg location reset encopt keygen',
    ),
  ].map((name) => [name, 'value'] as const),
])

/** Words that stay as they are, wherever an attribute of the kind `value` has them. */
const WORDS: ReadonlySet<string> = splitWords(`
  0 1 2 true false get set result error read read-self played played-self retry sender inactive peer peer_msg hist_sync server-error enc_rekey_retry
  msg pkmsg skmsg msmsg text media reaction poll event medianotify pay image video audio ptt gif sticker document contact
  contact_array location livelocation vcard url product catalog list button buttons_response list_response single_select multi_select
  native_flow_response native_flow interactive template order ptv album keep message receipt notification call presence chatstate
  ack iq ib available unavailable composing paused recording subscribe unsubscribe delivery background active passive interactive
  w:g2 w:p w:m w:sync:app:state encrypt md usync privacy blocklist status disappearing_mode urn:xmpp:ping urn:xmpp:whatsapp:account
  urn:xmpp:whatsapp:dirty urn:xmpp:whatsapp:push w:profile:picture w:biz w:biz:catalog w:mex w:stats abt tos spam bot newsletter
  fb:thrift_iq passive w:web w:qr w:auth:backup:token groups account_sync account devices server_sync picture mediaretry link_code_companion_reg
  companion_hello companion_finish companion_nonce primary_hello registration server encryption psa gcm web offline resume
  regular regular_low regular_high critical_block critical_unblock_low pn lid hosted invite invite_link member_add admin_add
  all_member_add admin superadmin member add remove promote demote leave create delete update modify subject description announce lock
  ephemeral revoke block unblock contacts contact_blacklist all none match_last_seen profile last online readreceipts groupadd
  calladd messages default delta full query sidelist contact_sync high low urgent user_initiated network failure conflict replaced
  device_removed hide hidden fail history peer_data_operation message_keys app_state link url preview sub_group parent_group
  approve reject cancel request request_required on off offer accept terminate preaccept relaylatency transport timeout busy
  mixed quick_reply cta_url cta_call cta_copy order_details payment_info carousel v1 vote creation results text_message desktop chrome
  safari firefox edge frequent stickers known pix defense on_standard off dependent_category linked_profiles
  w:gp2 trusted_contact in out iphone android smbi smba
`)

function splitWords(text: string): ReadonlySet<string> {
  // Bound: 65,536, a line of a recording.
  return new Set(text.split(/\s+/).filter((word) => word !== ''))
}
