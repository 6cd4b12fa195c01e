/* Made by `npm run generate` with oazapfts from the OpenAPI document; change the schemas and routes. */
import * as QS from './query.js'
import type { CallOptions, Transport } from './transport.js'

export type InstanceTag = string;
export type CreateInstanceRequest = {
    /** A name for people. */
    name: string;
    /** The name shown on the phone in its list of linked devices. */
    systemName?: string;
    /** A note of the administrator. */
    adminField01?: string;
    /** A second note of the administrator. */
    adminField02?: string;
    /** Tags of the administrator. */
    tags?: InstanceTag[];
};
export type Instance = {
    /** Names the instance, in the whole installation and for good. */
    id: string;
    /** Token of the instance, for the header `token`. Only in the answer that creates the instance. */
    token?: string;
    /** Whether the account is connected to WhatsApp. */
    status: "disconnected" | "connecting" | "connected";
    /** Whether it was stopped (`POST /instance/stop`): it keeps its pairing and stays disconnected, also after restarts of the gateway, until `POST /instance/start`. */
    stopped?: boolean;
    /** The pairing code to type on the phone; empty when there is none. */
    paircode?: string;
    /** The QR code to scan, as a data URL of a PNG; empty when there is none. */
    qrcode?: string;
    /** The text in the QR code, for callers that draw it themselves; empty when there is none. */
    qrcodeText?: string;
    /** The name given by its owner. */
    name: string;
    /** The name of the account as its contacts see it. */
    profileName?: string;
    /** The username of the account, without `@`; empty when it has none, or while it is not known. It is read some time after a login, and at each change. */
    profileUsername?: string;
    /** Country whose national numbers are taken wherever a number is given (ISO 3166, two letters); empty: numbers need their country code. */
    defaultCountry?: string;
    /** Where the profile picture of the account is; empty when unknown. */
    profilePicUrl?: string;
    /** Whether it is a business account. */
    isBusiness?: boolean;
    /** The platform of the phone, as WhatsApp tells it. The field name is spelled so. */
    plataform?: string;
    /** The name shown on the phone in its list of linked devices. */
    systemName?: string;
    /** The number of the account, in digits; empty before the first pairing. */
    owner: string;
    /** The presence of the account, when it is known. */
    current_presence?: string;
    /** When the connection last ended, as ISO 8601 in UTC; empty when never. */
    lastDisconnect?: string;
    /** Why the connection last ended, such as `401: logged out from another device`. */
    lastDisconnectReason?: string;
    /** A note of the administrator; the owner of the instance can read it. */
    adminField01?: string;
    /** A second note of the administrator; the owner of the instance can read it. */
    adminField02?: string;
    /** Tags of the administrator; the owner of the instance can read them. */
    tags?: InstanceTag[];
    /** How the OpenAI key of the instance begins and ends, as in `sk-...a1b2`; empty: there is none. No answer contains the key. */
    openai_apikey?: string;
    /** Whether the chatbot answers. */
    chatbot_enabled?: boolean;
    /** Whether the chatbot leaves groups alone. */
    chatbot_ignoreGroups?: boolean;
    /** The word by which a contact stops the chatbot in their chat; empty: none. */
    chatbot_stopConversation?: string;
    /** For how many minutes the chatbot stays quiet after that word. */
    chatbot_stopMinutes?: number;
    /** For how many minutes the chatbot stays quiet in a chat after a message of the account that was sent outside the API; 0 is off. */
    chatbot_stopWhenYouSendMsg?: number;
    /** Maximum that the agents spend on a UTC day, in the currency of their prices; 0: any. */
    chatbot_costPerDay?: number;
    /** Price of a million tokens of vectors, in the currency of `chatbot_costPerDay`; 0: they cost nothing. */
    chatbot_embeddingPrice?: number;
    /** Price of a million tokens of transcriptions, in the currency of `chatbot_costPerDay`; 0: they cost nothing. */
    chatbot_transcriptionPrice?: number;
    /** Names of the custom lead fields. */
    fieldsMap?: {
        [key: string]: string;
    };
    /** The time of this server, as ISO 8601 in UTC. */
    currentTime?: string;
    /** The shortest pause between two queued sends, in seconds. */
    msg_delay_min?: number;
    /** The longest pause between two queued sends, in seconds. */
    msg_delay_max?: number;
    /** Since when the number is in use, in UTC: as its owner has named it, or else since its pairing. The warm-up of new chats counts its days from there. Empty: not paired. */
    number_in_use_since?: string;
    /** When the instance was made, in UTC. */
    created: string;
    /** When the instance last changed, in UTC. */
    updated: string;
};
export type CreateInstanceReply = {
    /** A sentence. */
    response: string;
    /** The instance. */
    instance: Instance;
    /** Always false. */
    connected: boolean;
    /** Always false. */
    loggedIn: boolean;
    /** Its name. */
    name: string;
    /** Value for the header `token`. */
    token: string;
    /** Next step. */
    info?: string;
};
export type AllInstancesReply = Instance[];
export type InstanceFilter = {
    /** The name, the profile name, the number or a note contains it, without regard to case; or it is the id. */
    search?: string;
    /** The status is one of these. */
    status?: ("disconnected" | "connecting" | "connected")[];
    /** The name contains it, without regard to case. */
    name?: string;
    /** The number of the account contains these digits. Other characters are ignored. */
    "number"?: string;
    /** A note of the administrator contains it, without regard to case. */
    notes?: string;
    /** The reason why the connection last ended contains it, without regard to case. */
    reason?: string;
    /** The last end of the connection has one of these causes, as in `/instance/connections`, and it has not been connected since. */
    cause?: ("restart" | "lost" | "unreachable" | "proxyFailed" | "dead" | "unavailable" | "badSession" | "replaced" | "loggedOut" | "forbidden" | "temporarilyBanned" | "versionRefused" | "clientRefused" | "loginNotFound" | "loginRefused" | "multideviceMismatch" | "pairingExpired" | "pairingRefused" | "passkeyRequired" | "passkeyExpired" | "passkeyFailed" | "instanceLimit" | "storeFailed" | "programError" | "ownershipLost" | "stopped" | "asked")[];
    /** NODE_ID of the node that owns the instance. */
    node?: string;
    /** It has all of these tags. */
    tags?: InstanceTag[];
    /** It has none of these tags. */
    withoutTags?: InstanceTag[];
    /** Whether it has an account. */
    paired?: boolean;
    /** Whether it should be connected. With `status`, this finds instances that are not connected against their will. */
    wanted?: boolean;
    /** Whether it was given to another installation. */
    exported?: boolean;
    /** It was made before this time. */
    createdBefore?: string;
    /** It was made at this time or later. */
    createdAfter?: string;
    /** No message came or went at this time or later. The time of the last one is kept to the minute. */
    inactiveSince?: string;
};
export type FindInstancesRequest = {
    /** Which instances; left out, all of them. */
    filter?: InstanceFilter;
    /** The order: by the time when they were made or by name, ascending or descending. */
    sort?: "+created" | "-created" | "+name" | "-name";
    /** Maximum number. */
    limit?: number;
    /** The `next` of the page before this one, with the same filter and order. */
    cursor?: string;
};
export type FoundInstance = {
    /** The instance. */
    instance: Instance;
    /** NODE_ID of the node that owns it; empty when none does. */
    node: string;
    /** Whether it should be connected. */
    wanted: boolean;
    /** Whether it has an account. */
    paired: boolean;
    /** Whether it was given to another installation. */
    exported: boolean;
    /** When a message last came or went, to the minute, in UTC; null when never. */
    lastActivity: string | null;
    /** Since when it has its status, UTC; null when that is not known. Nodes of former releases leave it out. */
    since?: string | null;
    /** Messages that wait for their turn or for an answer of WhatsApp; 1000 means that or more. Nodes of former releases leave it out. */
    waitingSends?: number;
};
export type FindInstancesReply = {
    /** The instances. Their status is the stored one, at most some seconds old. */
    instances: FoundInstance[];
    /** `cursor` of the next page; null when there is none. */
    next: string | null;
    /** How many instances have each status and fit the filter, whatever statuses it names. Only on the first page, else null. */
    counts: {
        /** How many are disconnected. */
        disconnected: number;
        /** How many are connecting. */
        connecting: number;
        /** How many are connected. */
        connected: number;
    } | null;
};
export type UpdateAdminFieldsRequest = {
    /** The instance. */
    id: string;
    /** A note. */
    adminField01?: string;
    /** A second note. */
    adminField02?: string;
};
export type UpdateAdminFieldsReply = Instance;
export type UpdateTagsRequest = {
    /** The instance. */
    id: string;
    /** These tags and no others. */
    tags?: InstanceTag[];
    /** Tags that it gets. */
    add?: InstanceTag[];
    /** Tags that it loses. */
    remove?: InstanceTag[];
};
export type UpdateTagsReply = Instance;
export type ConnectRequest = {
    /** The number of the account with country code, 10 to 15 digits; `+`, spaces, dots, dashes and brackets may stand between them. When given, a pairing code is made instead of a QR code. Empty: a QR code. */
    phone?: string;
    /** The name that the phone shows for this device. */
    browser?: "auto" | "safari" | "firefox" | "edge" | "chrome";
    /** The number is in use on WhatsApp since then. Without it, it counts as new from its pairing, and campaigns reach few people who never wrote on its first days (`NEW_CHATS_WARM_UP`). */
    number_in_use_since?: string;
    /** Kept for other clients of this interface; the name given when the instance was made counts. */
    systemName?: string;
    /** Not supported: answered with 501. */
    proxy_managed_country?: string;
    /** Not supported: answered with 501. */
    proxy_managed_state?: string;
    /** Not supported: answered with 501. */
    proxy_managed_city?: string;
};
export type ConnectReply = {
    /** Whether the account is connected. */
    connected: boolean;
    /** Whether the account is paired. */
    loggedIn: boolean;
    /** The JID of the account with its device; null when it is not paired. */
    jid: string | null;
    /** The instance, with `qrcode` or `paircode` while pairing. */
    instance: Instance;
};
export type StatusReply = {
    /** The instance, with `qrcode` or `paircode` while pairing. */
    instance: Instance;
    /** Its connection. */
    status: {
        /** Whether the account is connected. */
        connected: boolean;
        /** Whether the account is paired. */
        loggedIn: boolean;
        /** The JID of the account with its device; null when it is not paired. */
        jid: string | null;
        /** The state behind the status: `disconnected`, `pairing`, `opening`, `connected`, `waiting`, or the step of a pairing with a passkey; there may be others. */
        state: string;
        /** Cause of the last end of the connection, one word; null while connected. */
        cause: string | null;
        /** Number of attempts since the last connection that lasted. */
        attempt: number;
        /** Time of the next attempt, UTC; null unless the state is `waiting`. */
        nextAttemptAt: string | null;
        /** Time at which another QR code replaces this one, UTC; null without one. */
        qrEndsAt: string | null;
        /** Time at which the pairing, or its present step with a passkey, ends, UTC; null without one. */
        pairingEndsAt: string | null;
        /** Traffic of the connection since it opened; null if not connected. A silent connection is ended, so `connected` means that traffic arrives. */
        traffic: {
            /** When anything came from WhatsApp, keep-alives included. */
            lastReceivedAt: string;
            /** When a message came. */
            lastMessageAt: string | null;
            /** When WhatsApp acknowledged a message of ours. */
            lastAckAt: string | null;
            /** Messages of ours that WhatsApp did not acknowledge yet. */
            unacknowledged: number;
            /** Frames that wait until what caused them is durable. */
            held: number;
        } | null;
    };
};
export type InstanceHealthReply = {
    /** The status. */
    status: "disconnected" | "connecting" | "connected";
    /** The state behind the status: `disconnected`, `pairing`, `opening`, `connected`, `waiting`; there may be others. */
    state: string;
    /** The state that the owner of the instance has asked for. */
    desiredState: "connected" | "disconnected";
    /** Cause of the last end of the connection, one word; null while connected. */
    cause: string | null;
    /** The cause in words, with what to do; null while connected. */
    reason: string | null;
    /** Time since which the instance is in this state. A move to another node begins it again. */
    since: string;
    /** Time at which anything came from WhatsApp, keep-alives included; null when not connected. */
    lastReceivedAt: string | null;
    /** Time of the last message that came; null: none since this node holds the instance. */
    lastInboundAt: string | null;
    /** Time at which WhatsApp last took a message; null as above. */
    lastAckAt: string | null;
    /** Time of the last message that could not be decrypted; null as above. */
    lastDecryptErrorAt: string | null;
    /** Messages of the account that WhatsApp has not acknowledged. */
    unacknowledged: number;
    /** Frames that wait until their cause is durable. */
    held: number;
    /** The queue of asynchronous sends. */
    queue: {
        /** `idle`, `queued`, `processing`, `waiting_connection` or `resetting`. */
        status: string;
        /** Number of queued sends. */
        pending: number;
        /** True while one of them is sent. */
        processingNow: boolean;
    };
    /** WhatsApp's restrictions of the account, as last known. */
    limits: {
        /** False while a restriction keeps the account from beginning chats. */
        can_send_new_messages: boolean;
        /** `WHATSAPP_REACHOUT_TIMELOCK`, `WHATSAPP_NEW_CHAT_MESSAGE_CAPPING`, or empty. */
        error_key: string;
        /** The lock that keeps the account from beginning chats. */
        reachout_timelock: {
            /** True if WhatsApp has told of it. */
            available: boolean;
            /** True while the lock holds, whatever its kind. */
            active: boolean;
            /** End of the lock; null when there is none, or when WhatsApp gave no time. */
            until: string | null;
            /** WhatsApp's word for the kind of the lock, also one that is not known here. */
            enforcement_type: string;
        };
        /** The quota of messages to people who have not answered. */
        new_chat_message_capping: {
            /** True if WhatsApp has told of it. */
            available: boolean;
            /** True if the quota is used up: WhatsApp takes no further new chats in this cycle. */
            active: boolean;
            /** WhatsApp's word: `NONE`, `FIRST_WARNING`, `SECOND_WARNING`, `CAPPED`; it may add others. Empty when unknown. */
            status: string;
            /** Messages used in this cycle. */
            used_quota: number | null;
            /** Messages allowed in this cycle; -1: no quota. */
            total_quota: number | null;
            /** Start of the cycle. */
            cycle_start: string | null;
            /** End of the cycle. */
            cycle_end: string | null;
            /** WhatsApp's word for the one-time extension. */
            ote_status: string;
            /** WhatsApp's word for a verified account. */
            mv_status: string;
        };
    };
    /** Sends that wait because their recipients never wrote to the account: asynchronous ones, and recipients of campaigns. */
    parked: number;
    /** Messages to people who never wrote, on this UTC day, as far as the budget of the installation applies to them. */
    budget: {
        /** The UTC day. */
        day: string;
        /** Messages that have left. */
        used: number;
        /** Messages that may still leave; null: no limit. */
        left: number | null;
    };
    /** Time before which no asynchronous send leaves; null: the next one leaves at once. */
    nextSendAt: string | null;
    /** The reasons for which sends that nobody waits for are held back. Direct sends are never held back. */
    holds: {
        /** `rate_limit` holds back all of them, the others those to people who never wrote. */
        kind: "reachout_timelock" | "new_chat_message_capping" | "new_chat_refusals" | "new_chat_budget" | "rate_limit";
        /** Time at which it ends, or is tested. */
        until: string;
    }[];
    /** The node that holds the instance. */
    node: string;
};
export type ConnectionHistoryReply = {
    /** One entry for each change of the status, and for each new cause. */
    connections: {
        /** Time of the change. */
        at: string;
        /** The status from then on. */
        status: "disconnected" | "connecting" | "connected";
        /** The state behind the status, as in `/instance/health`. */
        state: string;
        /** Why the former connection ended, in one word; null when none has ended. */
        cause: string | null;
        /** WhatsApp's code for the end; null when it gave none. */
        code: number | null;
        /** The cause in words; null when none has ended. */
        reason: string | null;
        /** The node that held the instance. */
        node: string;
    }[];
};
export type RequestsReply = {
    /** The newest first. */
    requests: {
        /** Grows from call to call. */
        position: number;
        /** When it was answered, UTC. */
        at: string;
        /** Its operationId. */
        operation: string;
        /** Who called: the token of the instance, a key, or an administrator. */
        by: "token" | "key" | "admin";
        /** Id of the key; null without one. */
        key: string | null;
        /** How the client names itself (`User-Agent`); may be empty. */
        client: string;
        /** True for a call of the dashboard: it had a pass. */
        dashboard: boolean;
        /** HTTP status of the answer. */
        status: number;
        /** Code of the error; null without one. */
        code: string | null;
        /** Milliseconds until the answer was made. */
        ms: number;
        /** The `X-Request-Id` of the answer, which the log of the gateway has too. */
        requestId: string;
        /** Node that was asked, NODE_ID. */
        node: string;
    }[];
    /** Whether there are older ones. */
    hasMore: boolean;
    /** `before` of the next page; null when there is none. */
    next: number | null;
    /** Calls of the last day that are not in the list, because there were too many: a node writes up to 500 at once and one each ten seconds, and as many failed ones. */
    leftOut: number;
};
export type ShowLimitsReply = {
    /** WhatsApp. */
    provider: "whatsapp";
    /** True if WhatsApp has answered within the last minute. Otherwise the last known state is shown. */
    reachable: boolean;
    /** Time at which WhatsApp last told of restrictions. */
    checked_at: string | null;
    /** False while a restriction keeps the account from beginning chats. */
    can_send_new_messages: boolean;
    /** `WHATSAPP_REACHOUT_TIMELOCK`, `WHATSAPP_NEW_CHAT_MESSAGE_CAPPING`, or empty. */
    error_key: string;
    /** The restriction in words. */
    message: string;
    /** The same in Portuguese. */
    message_ptbr: string;
    /** Sends that wait because their recipients never wrote to the account: asynchronous ones, and recipients of campaigns. */
    parked: number;
    /** Messages to people who never wrote, on this UTC day, as far as the budget of the installation applies to them. */
    budget: {
        /** The UTC day. */
        day: string;
        /** Messages that have left. */
        used: number;
        /** Messages that may still leave; null: no limit. */
        left: number | null;
    };
    /** Time before which no asynchronous send leaves; null: the next one leaves at once. */
    nextSendAt: string | null;
    /** The reasons for which sends that nobody waits for are held back. Direct sends are never held back. */
    holds: {
        /** `rate_limit` holds back all of them, the others those to people who never wrote. */
        kind: "reachout_timelock" | "new_chat_message_capping" | "new_chat_refusals" | "new_chat_budget" | "rate_limit";
        /** Time at which it ends, or is tested. */
        until: string;
    }[];
    /** The quota of messages to people who have not answered. */
    new_chat_message_capping: {
        /** True if WhatsApp has told of it. */
        available: boolean;
        /** True if the quota is used up: WhatsApp takes no further new chats in this cycle. */
        active: boolean;
        /** WhatsApp's word: `NONE`, `FIRST_WARNING`, `SECOND_WARNING`, `CAPPED`; it may add others. Empty when unknown. */
        status: string;
        /** Messages used in this cycle. */
        used_quota: number | null;
        /** Messages allowed in this cycle; -1: no quota. */
        total_quota: number | null;
        /** Start of the cycle. */
        cycle_start: string | null;
        /** End of the cycle. */
        cycle_end: string | null;
        /** WhatsApp's word for the one-time extension. */
        ote_status: string;
        /** WhatsApp's word for a verified account. */
        mv_status: string;
        /** WhatsApp's code when it refused this look-up. */
        lookup_error: string | null;
    };
    /** The lock that keeps the account from beginning chats. */
    reachout_timelock: {
        /** True if WhatsApp has told of it. */
        available: boolean;
        /** True while the lock holds, whatever its kind. */
        active: boolean;
        /** End of the lock; null when there is none, or when WhatsApp gave no time. */
        until: string | null;
        /** WhatsApp's word for the kind of the lock, also one that is not known here. */
        enforcement_type: string;
        /** WhatsApp's code when it refused this look-up. */
        lookup_error: string | null;
    };
};
export type Passkey = {
    /** `none`: no pairing asks for a passkey. `needs_passkey`: the challenge is to be signed. `passkey_sent`: WhatsApp has the signature. `passkey_code`: a person compares `code` with the code on the phone. `confirming`: the phone links the device. */
    state: "none" | "needs_passkey" | "passkey_sent" | "passkey_code" | "confirming";
    /** In `needs_passkey`, the options for `navigator.credentials.get({publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(publicKey)})`, on a page of whatsapp.com. */
    publicKey: {
        [key: string]: unknown;
    } | {
        [key: string]: unknown;
    };
    /** When the pairing ends unless this step is done. */
    expires: string | null;
    /** In `passkey_code`, the code to compare, `XXXX-XXXX`. */
    code: string | null;
    /** What a person can do now. */
    advice: string;
};
export type PasskeyReply = {
    /** The step of the pairing. */
    passkey: Passkey;
};
export type PasskeyResponseRequest = {
    /** The id of the credential, as base64url. */
    id: string;
    /** The same as `id`. */
    rawId: string;
    /** Always `public-key`. */
    "type": "public-key";
    /** The answer of the authenticator. */
    response: {
        /** What the browser signed, as base64url: type, challenge and origin. */
        clientDataJSON: string;
        /** The data of the authenticator, as base64url. */
        authenticatorData: string;
        /** The signature, as base64url. */
        signature: string;
        /** The name of the account at the authenticator, as base64url; null when there is none. */
        userHandle?: string | null;
        [key: string]: unknown;
    };
    /** How the authenticator is attached: `platform` or `cross-platform`. */
    authenticatorAttachment?: string | null;
    /** The results of the extensions that the challenge asks for. */
    clientExtensionResults?: {
        [key: string]: unknown;
    };
    /** Whether a person shall compare a code with the phone although the scan proves already which device is linked. Default: only when the signature comes later than five minutes after the scan. */
    compareCode?: boolean;
    [key: string]: unknown;
};
export type PasskeyResponseReply = {
    /** The step of the pairing. */
    passkey: Passkey;
};
export type PasskeyConfirmRequest = {};
export type PasskeyConfirmReply = {
    /** The step of the pairing. */
    passkey: Passkey;
};
export type SetPresenceRequest = {
    /** `available`: contacts see the account online, receipts show as delivered, `presence` events come, and the phone shows no notifications. `unavailable` (the default): none of this; when no other device of the account is available either, senders see one tick. */
    presence: "available" | "unavailable";
};
export type SetPresenceReply = {
    /** A sentence. */
    response: string;
    /** The presence to show. */
    presence: "available" | "unavailable";
    /** True if WhatsApp has it. Else it is shown at the next login, or once the phone has sent the name of the account. */
    shown: boolean;
};
export type StopInstanceRequest = {};
export type StopInstanceReply = {
    /** The instance. */
    instance: Instance;
    /** A sentence. */
    response: string;
    /** Next step. */
    info?: string;
};
export type StartInstanceRequest = {};
export type StartInstanceReply = {
    /** Whether the account is connected. */
    connected: boolean;
    /** Whether it is paired and logged in. */
    loggedIn: boolean;
    /** The own JID; null while it is not connected. */
    jid: string | null;
    /** The instance. */
    instance: Instance;
};
export type DisconnectRequest = {};
export type DisconnectReply = {
    /** The instance. */
    instance: Instance;
    /** A sentence. */
    response: string;
    /** Next step. */
    info?: string;
};
export type ResetRequest = {};
export type ResetReply = {
    /** A sentence. */
    response: string;
    /** Whether the connection is being opened again. */
    resetting: boolean;
    /** The instance. */
    instanceId: string;
    /** Whether queued sends were looked at. */
    queuedRecoveryAttempted?: boolean;
};
export type DeleteInstanceReply = {
    /** A sentence. */
    response: string;
    /** More about it. */
    info?: string;
};
export type InstanceProxy = {
    /** What is set: `custom` for a proxy of the owner's, `none` for no proxy. */
    mode: "custom" | "none";
    /** Whether a proxy is set. */
    enabled: boolean;
    /** What the connection uses now: `custom` for the proxy or its fallback proxy, `none` for no proxy, `disconnected` when there is no connection. */
    effective_mode: "custom" | "none" | "disconnected";
    /** A sentence about what is in use. */
    effective_detail: string;
    /** The way that is used while the proxy fails. */
    fallback: {
        /** Whether the fallback is in use. */
        active: boolean;
        /** Why the proxy could not be used; empty when it could. */
        reason: string;
        /** The step at which the proxy failed; empty when it did not: `dns`: its name; `address`: its address is not allowed; `connect`: no connection; `tls`: encryption; `auth`: user or password; `refused`: it refused the connection; `answer`: it answered something else or closed the connection; `timeout`: it took too long; `settings`: the stored URL. */
        code: "" | "dns" | "address" | "connect" | "tls" | "auth" | "refused" | "answer" | "timeout" | "settings";
        /** Since when, in Unix milliseconds; 0 when the proxy works. */
        since: number;
    };
    /** The URL of the proxy with its password hidden; empty without one. */
    proxy_url: string;
    /** `never`, `none`, or the URL of the fallback proxy with its password hidden. */
    proxy_fallback: string;
    /** Always false: managed proxies are not offered here. */
    managed: boolean;
    /** When the proxy was last tested with success, in Unix milliseconds; 0 without one. */
    last_test_at: number;
    /** Always empty: a proxy that fails its test is not stored. */
    last_test_error: string;
    /** Whether the instance could not use the proxy the last time it tried; `fallback.reason` says why. */
    validation_error: boolean;
};
export type ShowProxyReply = InstanceProxy;
export type SetProxyRequest = {
    /** `custom`: the proxy of `proxy_url`. `none`: no proxy; needs `confirm_no_proxy`. `internal` is answered with 501. */
    mode?: "custom" | "internal" | "none";
    /** The same in another form: true for the proxy of `proxy_url`, false for none. */
    enable?: boolean;
    /** http, https, socks5 or socks5h, with user and password where the proxy wants them. The proxy resolves names for all but socks5. As shown before, with its password hidden: the stored one is kept. */
    proxy_url?: string;
    /** What to use while the proxy fails: `never` (default) for nothing, the URL of another proxy, or `none` for no proxy, which needs `confirm_no_proxy`. `internal_proxy` is answered with 501. */
    proxy_fallback?: string;
    /** The owner's word that the account may be connected without a proxy. */
    confirm_no_proxy?: boolean;
    /** Not supported: answered with 501. */
    rotate_now?: boolean;
};
export type SetProxyReply = {
    /** A sentence. */
    details: string;
    /** The proxy as it is now. */
    proxy: InstanceProxy;
    /** Whether the connection is being made again on the new way. */
    restart_requested: boolean;
};
export type RemoveProxyReply = {
    /** A sentence. */
    details: string;
    /** The proxy as it is now. */
    proxy: InstanceProxy;
    /** Whether the connection is being made again without the proxy. */
    restart_requested: boolean;
};
export type RotateTokenRequest = {
    /** Seconds for which the former tokens stay valid, up to a week. 0 ends them at once. */
    graceSeconds?: number;
};
export type RotateTokenReply = {
    /** Always true. */
    success: boolean;
    /** A sentence. */
    message: string;
    /** Token of the instance, for the header `token`. */
    token: string;
    /** Time when the former tokens end, UTC. */
    former_end: string;
};
export type CreateKeyRequest = {
    /** A name for people. */
    name: string;
    /** `read`: messages, chats, contacts, groups, files, events. `send`: sends, reactions, presence, changes of what was sent, read marks. `change`, only together with `send`: agents that use the key over MCP may edit and delete what was sent too; other calls do not need it. Nothing else is possible with a key. */
    scopes: ("read" | "send" | "change")[];
    /** A number, JID or group: everything of any other chat is refused, and what is about more than one, such as event streams. */
    chat?: string;
    /** It ends then; left out, when it is deleted. */
    expiresInSeconds?: number;
};
export type KeyRecord = {
    /** Names it. */
    id: string;
    /** As it was given. */
    name: string;
    /** First characters of the key. The rest is not stored. */
    prefix: string;
    /** Permissions of the key. */
    scopes: ("read" | "send" | "change")[];
    /** The JID of the one chat that it is for; empty: all. */
    chat: string;
    /** When it was made, UTC. */
    created: string;
    /** When it ends, UTC; null: when it is deleted. */
    expires: string | null;
};
export type CreateKeyReply = {
    /** Stored record of the key. */
    key: KeyRecord;
    /** Value for the header `token`. */
    token: string;
};
export type KeysReply = {
    /** The oldest first. */
    keys: KeyRecord[];
};
export type DeleteKeyReply = {
    /** A sentence. */
    response: string;
};
export type UpdateInstanceNameRequest = {
    /** A name for people. */
    name: string;
};
export type UpdateInstanceNameReply = Instance;
export type UpdateDelaySettingsRequest = {
    /** The shortest pause in seconds. Less than 0 is 0. */
    msg_delay_min: number;
    /** The longest pause in seconds; at least the shortest. Each pause is drawn at random between the two. */
    msg_delay_max: number;
    /** The number is in use on WhatsApp since then. The warm-up of new chats counts its days from there; null: from the pairing. Without it, this stays as it is. A new pairing forgets it. */
    number_in_use_since?: string | null;
};
export type UpdateDelaySettingsReply = {
    /** The instance. */
    instance: Instance;
};
export type UpdateDefaultCountryRequest = {
    /** ISO 3166 code of two letters, such as `BR`. From then on national numbers of this country (`(11) 98765-0010`, `011 98765-0010`) are taken wherever a number is given. Empty: numbers need their country code. */
    defaultCountry: string;
};
export type UpdateDefaultCountryReply = Instance;
export type UpdateFieldsMapRequest = {
    /** The name of custom lead field 1; empty takes it away. */
    lead_field01?: string;
    /** The name of custom lead field 2; empty takes it away. */
    lead_field02?: string;
    /** The name of custom lead field 3; empty takes it away. */
    lead_field03?: string;
    /** The name of custom lead field 4; empty takes it away. */
    lead_field04?: string;
    /** The name of custom lead field 5; empty takes it away. */
    lead_field05?: string;
    /** The name of custom lead field 6; empty takes it away. */
    lead_field06?: string;
    /** The name of custom lead field 7; empty takes it away. */
    lead_field07?: string;
    /** The name of custom lead field 8; empty takes it away. */
    lead_field08?: string;
    /** The name of custom lead field 9; empty takes it away. */
    lead_field09?: string;
    /** The name of custom lead field 10; empty takes it away. */
    lead_field10?: string;
    /** The name of custom lead field 11; empty takes it away. */
    lead_field11?: string;
    /** The name of custom lead field 12; empty takes it away. */
    lead_field12?: string;
    /** The name of custom lead field 13; empty takes it away. */
    lead_field13?: string;
    /** The name of custom lead field 14; empty takes it away. */
    lead_field14?: string;
    /** The name of custom lead field 15; empty takes it away. */
    lead_field15?: string;
    /** The name of custom lead field 16; empty takes it away. */
    lead_field16?: string;
    /** The name of custom lead field 17; empty takes it away. */
    lead_field17?: string;
    /** The name of custom lead field 18; empty takes it away. */
    lead_field18?: string;
    /** The name of custom lead field 19; empty takes it away. */
    lead_field19?: string;
    /** The name of custom lead field 20; empty takes it away. */
    lead_field20?: string;
};
export type UpdateFieldsMapReply = Instance;
export type ShowPrivacyReply = {
    /** People who may add the account to groups. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    groupadd?: string;
    /** People who see when the account was last seen. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    last?: string;
    /** People who see the about text. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    status?: string;
    /** People who see the picture. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    profile?: string;
    /** People who see that the account has read their messages. With `none` the account sees no receipts of others either. One of `all`, `none`; WhatsApp may add others. */
    readreceipts?: string;
    /** People who see that the account is online. One of `all`, `match_last_seen`; WhatsApp may add others. */
    online?: string;
    /** People who may call the account. One of `all`, `known`, `contacts`; WhatsApp may add others. */
    calladd?: string;
    /** People who may write to the account. One of `all`, `contacts`; WhatsApp may add others. */
    messages?: string;
    /** Strict protection against strangers. One of `off`, `on_standard`; WhatsApp may add others. */
    defense?: string;
    /** People who may use the stickers of the account. One of `contacts`, `contact_allowlist`, `none`; WhatsApp may add others. */
    stickers?: string;
    /** People who see links to other profiles of the account. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    linked_profiles?: string;
    /** People who see the Pix key of the account. One of `all`, `contacts`, `contact_blacklist`, `none`; WhatsApp may add others. */
    pix?: string;
    /** Seconds after which messages of new chats disappear; 0 when they stay. */
    disappearing: number;
};
export type SetPrivacyRequest = {
    /** People who may add the account to groups. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    groupadd?: "all" | "contacts" | "contact_blacklist" | "none";
    /** People who see when the account was last seen. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    last?: "all" | "contacts" | "contact_blacklist" | "none";
    /** People who see the about text. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    status?: "all" | "contacts" | "contact_blacklist" | "none";
    /** People who see the picture. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    profile?: "all" | "contacts" | "contact_blacklist" | "none";
    /** People who see that the account has read their messages. With `none` the account sees no receipts of others either. */
    readreceipts?: "all" | "none";
    /** People who see that the account is online. */
    online?: "all" | "match_last_seen";
    /** People who may call the account. */
    calladd?: "all" | "known" | "contacts";
    /** People who may write to the account. */
    messages?: "all" | "contacts";
    /** Strict protection against strangers. */
    defense?: "off" | "on_standard";
    /** People who may use the stickers of the account. */
    stickers?: "contacts" | "contact_allowlist" | "none";
    /** People who see links to other profiles of the account. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    linked_profiles?: "all" | "contacts" | "contact_blacklist" | "none";
    /** People who see the Pix key of the account. `contact_blacklist`: all contacts but those whom the phone excludes; the list itself is kept on the phone. */
    pix?: "all" | "contacts" | "contact_blacklist" | "none";
    /** Seconds after which messages of new chats disappear; 0 when they stay. */
    disappearing?: 0 | 86400 | 604800 | 7776000;
};
export type SetPrivacyReply = ShowPrivacyReply;
export type ShowCallSettingsReply = {
    /** Calls of people. */
    people: {
        /** True if the gateway rejects these calls by itself. */
        reject: boolean;
        /** Text that is sent to the caller after a rejection, with placeholders as in any send; empty: none. At most one an hour for each chat, and 20 an hour for the instance. */
        text: string;
    };
    /** Calls to groups. */
    groups: {
        /** True if the gateway rejects these calls by itself. */
        reject: boolean;
        /** Text that is sent to the group after a rejection, with placeholders as in any send; empty: none. At most one an hour for each chat, and 20 an hour for the instance. */
        text: string;
    };
};
export type SetCallSettingsRequest = {
    /** Calls of people. */
    people?: {
        /** True if the gateway rejects these calls by itself. */
        reject?: boolean;
        /** Text that is sent to the caller after a rejection, with placeholders as in any send; empty: none. At most one an hour for each chat, and 20 an hour for the instance. */
        text?: string;
    };
    /** Calls to groups. */
    groups?: {
        /** True if the gateway rejects these calls by itself. */
        reject?: boolean;
        /** Text that is sent to the group after a rejection, with placeholders as in any send; empty: none. At most one an hour for each chat, and 20 an hour for the instance. */
        text?: string;
    };
};
export type SetCallSettingsReply = ShowCallSettingsReply;
export type ReadingSettingsReply = {
    /** Received messages are marked as read by themselves. Their senders see it if the account shows read receipts. */
    readMessages: boolean;
    /** Status posts of others are marked as read by themselves. */
    readStatus: boolean;
    /** The next pairing asks the phone for its whole history, and not for the last months only. The phone decides how much it gives. */
    fullHistory: boolean;
};
export type UpdateReadingSettingsRequest = {
    /** Received messages are marked as read by themselves. Their senders see it if the account shows read receipts. */
    readMessages?: boolean;
    /** Status posts of others are marked as read by themselves. */
    readStatus?: boolean;
    /** The next pairing asks the phone for its whole history, and not for the last months only. The phone decides how much it gives. */
    fullHistory?: boolean;
};
export type UpdateReadingSettingsReply = ReadingSettingsReply;
export type UpdateChatbotSettingsRequest = {
    /** OpenAI key of the instance, for transcription, for embeddings, and for agents of OpenAI without a key. It is stored encrypted, and answers show its beginning and end; such a text sent back changes nothing. Empty removes it. */
    openai_apikey?: string;
    /** Whether agents answer. */
    chatbot_enabled?: boolean;
    /** Whether agents leave groups alone. */
    chatbot_ignoreGroups?: boolean;
    /** Word by which a contact stops the chatbot in their chat: the whole message, without regard to case, accents and punctuation. Empty: none. */
    chatbot_stopConversation?: string;
    /** For how many minutes the chatbot then stays quiet in the chat; 0: it only stops the answer that is under way. */
    chatbot_stopMinutes?: number;
    /** For how many minutes the chatbot stays quiet in a chat after a message of the account that was sent outside the API; 0: it continues. */
    chatbot_stopWhenYouSendMsg?: number;
    /** Maximum that the agents spend on a UTC day, in the currency of their prices (`inputPrice`, `outputPrice`); 0: any. Agents without prices are not bounded by it. */
    chatbot_costPerDay?: number;
    /** Price of a million tokens of vectors, in the currency of `chatbot_costPerDay`; 0: they cost nothing. */
    chatbot_embeddingPrice?: number;
    /** Price of a million tokens of transcriptions, in the currency of `chatbot_costPerDay`; 0: they cost nothing. */
    chatbot_transcriptionPrice?: number;
};
export type UpdateChatbotSettingsReply = Instance;
export type ExportInstanceRequest = {
    /** The instance. */
    id: string;
    /** Passphrase of the file. Anyone with file and passphrase can act as the account: send them by different ways. */
    passphrase: string;
    /** End its connection first, if it has one, and keep its pairing. Without it an instance that is connected is refused. */
    stop?: boolean;
    /** With its webhooks and their secrets; true when left out. */
    webhooks?: boolean;
    /** Whether to include messages, also those that wait to be sent, and campaigns. Default true. */
    messages?: boolean;
};
export type ImportInstanceRequest = {
    /** The one with which it was exported. */
    passphrase: string;
    /** The file in base64. It may be as large as MEDIA_MAX_BYTES allows, beyond the limit of other fields. */
    file: string;
    /** Connect it at once; else /instance/connect does. */
    connect?: boolean;
};
export type ImportInstanceReply = {
    /** The instance. */
    instance: Instance;
};
export type ImportSessionRequest = {
    /** A name for people. */
    name: string;
    /** The name of the device at the next pairing. */
    systemName?: string;
    /** Tags of the administrator. */
    tags?: InstanceTag[];
    /** In base64: the folder as a tar archive (also packed by gzip), or a JSON document `{"creds.json": …, "pre-key-1.json": …}` or `{"creds": …, "keys": {"pre-key": {"1": …}}}`. It may be as large as MEDIA_MAX_BYTES allows, beyond the limit of other fields; unpacked at most 64 MiB, a JSON document 8 MiB. */
    file: string;
    /** Connect it at once; else /instance/connect does. */
    connect?: boolean;
};
export type ImportSessionReply = {
    /** The instance. */
    instance: Instance;
    /** What its calls carry in the header `token`. */
    token: string;
    /** How many keys were taken over. */
    keys: number;
    /** What to know: that the other gateway must stay stopped, which files were left out, why the instance is not connected yet. */
    warnings?: string[];
};
export type CancelExportRequest = {
    /** The instance. */
    id: string;
};
export type CancelExportReply = {
    /** The instance. */
    instance: Instance;
};
export type RotateAdminTokenRequest = {
    /** Seconds for which the former tokens stay valid, up to a week. 0 ends them at once. */
    graceSeconds?: number;
};
export type RotateAdminTokenReply = {
    /** Always true. */
    success: boolean;
    /** A sentence. */
    message: string;
    /** Token of administrators, for the header `admintoken`. */
    admin_token: string;
    /** When all others end, UTC. */
    former_end: string;
    /** Now, UTC. */
    timestamp: string;
};
export type AuditEntry = {
    /** Grows from entry to entry. */
    position: number;
    /** When it came, UTC. */
    at: string;
    /** Kind of the caller's token: of an administrator, of an instance, a key, or unknown. `node`: no call, but a note of a node that the instance has blocked its event loop three times within an hour (code `EVENT_LOOP_BLOCKED`). */
    actorKind: "admin" | "token" | "key" | "unknown" | "node";
    /** Names the token: `ADMIN_TOKEN`, the id of a key, or the first characters of a token's SHA-256 in hex. Empty when it is not known. */
    actor: string;
    /** Where it came from. */
    address: string;
    /** Of HTTP. */
    method: string;
    /** The path as this document has it, without values. */
    route: string;
    /** Its operationId. */
    operation: string;
    /** The instance that it was about, or the node or key that its path names; may be empty. */
    subject: string;
    /** Its `X-Request-Id`. */
    requestId: string;
    /** The pass with which it was made, or that it opened; then `actor` names the token from which the pass was made. Empty when there is none. */
    pass: string;
    /** Node that took the call. */
    node: string;
    /** How it was answered; null while it is under way, and when its node died. */
    status: number | null;
    /** The code of the error; empty when there was none. */
    code: string;
};
export type AuditReply = {
    /** The newest first. */
    entries: AuditEntry[];
    /** Whether there are older ones. */
    hasMore: boolean;
    /** `before` of the next page; null when there is none. */
    next: number | null;
};
export type RotateInstanceTokenRequest = {
    /** Seconds for which the former tokens stay valid, up to a week. 0 ends them at once. */
    graceSeconds?: number;
};
export type RotateInstanceTokenReply = {
    /** Always true. */
    success: boolean;
    /** A sentence. */
    message: string;
    /** Token of the instance, for the header `token`. */
    token: string;
    /** Time when the former tokens end, UTC. */
    former_end: string;
};
export type ChangeInstancesRequest = {
    /** `connect`: connect paired instances. `stop`: end the connections of paired instances and keep their pairings, until `start` or `connect`. `start`: connect paired instances. `disconnect`: end their sessions; they must be paired again. `reset`: close the connection and open it again. `tag`: add and remove tags. `delete`: delete them with all their data. */
    action: "connect" | "start" | "stop" | "disconnect" | "reset" | "tag" | "delete";
    /** These instances. */
    ids?: string[];
    /** The instances that fit it, at most 100,000. `{}` means all. Each is looked at again when its turn comes, and skipped when it fits no more. */
    filter?: InstanceFilter;
    /** Tags that they get. Only for `tag`. */
    add?: InstanceTag[];
    /** Tags that they lose. Only for `tag`. */
    remove?: InstanceTag[];
    /** Only says which instances would be changed, with the digest that the call without it demands. */
    dryRun?: boolean;
    /** `digest` of the dry run. */
    digest?: string;
    /** Maximum of instances that are begun in a minute. Each node also paces its logins (`LOGIN_RATE_PER_SECOND`). */
    perMinute?: number;
};
export type BulkJob = {
    /** Names the job. */
    id: string;
    /** The change. `restart` closes the connection of an instance and opens it again, as `reset` does. */
    action: "connect" | "start" | "stop" | "disconnect" | "reset" | "tag" | "delete" | "restart";
    /** `running` until all instances have an outcome, or the job is cancelled. */
    state: "running" | "done" | "cancelled";
    /** Number of instances. */
    count: number;
    /** Number of instances whose turn has not come. Of a cancelled job they stay as they are. */
    waiting: number;
    /** Number of instances that are being changed. */
    begun: number;
    /** Number of instances that were changed. */
    done: number;
    /** Number of instances that were left as they are, since there was nothing to do or they fit the filter no more. */
    skipped: number;
    /** Number of instances that could not be changed. */
    failed: number;
    /** Maximum of instances that are begun in a minute. Tags are changed without a pause. */
    perMinute: number;
    /** Digest of the change and its instances, as the dry run gave it. */
    digest: string;
    /** The filter by which the instances were chosen; null when ids were given, or none. */
    filter: InstanceFilter | null;
    /** Tags that the instances get. */
    add: InstanceTag[];
    /** Tags that the instances lose. */
    remove: InstanceTag[];
    /** Names the token of the administrator, as in the audit log. */
    actor: string;
    /** The node that runs the job, or ran it last; empty when none has yet. */
    node: string;
    /** Time of the call. */
    created: string;
    /** Time when a node began it; null before. */
    started: string | null;
    /** Time when it was done or cancelled; null before. */
    ended: string | null;
};
export type ChangeInstancesReply = {
    /** Number of instances that are or would be changed. */
    count: number;
    /** How many of them have each status. */
    counts: {
        /** Number of disconnected instances. */
        disconnected: number;
        /** Number of connecting instances. */
        connecting: number;
        /** Number of connected instances. */
        connected: number;
    };
    /** The first of them, in the order of their turns. */
    ids: string[];
    /** Given ids that are no instances; they are not counted. */
    "unknown": string[];
    /** Digest of the change and of all instances that it is for. */
    digest: string;
    /** The job that was begun; null for a dry run. The same call finds the job that is running already. */
    job: BulkJob | null;
};
export type BulkInstance = {
    /** The instance. It may be deleted. */
    instance: string;
    /** How the change ended, or that it is waiting or begun. */
    outcome: "waiting" | "begun" | "done" | "skipped" | "failed";
    /** The error code, as in an answer; empty when there is none. */
    code: string;
    /** Why it was skipped or failed; empty else. One that is waiting again has the reason of its last attempt. */
    reason: string;
    /** Number of attempts. */
    attempts: number;
    /** Time when the last attempt ended; null before. */
    at: string | null;
};
export type ShowJobReply = {
    /** The job of the `id`, or the jobs, newest first. */
    jobs: BulkJob[];
    /** The instances of the job, in the order of their turns; empty without an `id`. */
    instances: BulkInstance[];
    /** `cursor` of the next page; null when there is none. */
    next: number | null;
};
export type CancelJobRequest = {
    /** The job. */
    id: string;
};
export type CancelJobReply = {
    /** The job after it was cancelled. */
    job: BulkJob;
};
export type RestartConnectionsRequest = {
    /** These instances. */
    ids?: string[];
    /** The instances that fit it, at most 100,000. `{}` means all. Each is looked at again when its turn comes, and skipped when it fits no more. */
    filter?: InstanceFilter;
    /** Only instances that these nodes own. */
    nodes?: string[];
    /** Only says which connections would be restarted. */
    dryRun?: boolean;
    /** Maximum of instances that are begun in a minute. Each node also paces its logins (`LOGIN_RATE_PER_SECOND`). */
    perMinute?: number;
};
export type RestartConnectionsReply = {
    /** A sentence. */
    message: string;
    /** Number of instances that are or would be changed. */
    count: number;
    /** How many of them have each status. */
    counts: {
        /** Number of disconnected instances. */
        disconnected: number;
        /** Number of connecting instances. */
        connecting: number;
        /** Number of connected instances. */
        connected: number;
    };
    /** The first of them, in the order of their turns. */
    ids: string[];
    /** Given ids that are no instances; they are not counted. */
    "unknown": string[];
    /** Digest of the change and of all instances that it is for. */
    digest: string;
    /** The job that was begun; null for a dry run. The same call finds the job that is running already. */
    job: BulkJob | null;
};
export type FiguresReply = {
    /** When they were counted, UTC. */
    at: string;
    /** Instances by status. */
    instances: {
        /** How many are disconnected. */
        disconnected: number;
        /** How many are connecting. */
        connecting: number;
        /** How many are connected. */
        connected: number;
        /** How many are not connected although they should be: the filter `wanted` of `/instance/find` finds them. */
        missing: number;
    };
    /** The last 60 minutes, oldest first. Messages count in the minute in which they were stored, those of a history too. */
    minutes: {
        /** Its beginning, UTC. */
        at: string;
        /** Messages of the accounts, from phones too. */
        sent: number;
        /** Messages that were not sent. */
        failed: number;
        /** Messages of others. */
        received: number;
    }[];
    /** Deliveries of all webhooks. */
    webhooks: {
        /** Deliveries that wait, counted up to 10000. Above, it is an estimate of PostgreSQL. */
        waiting: number;
        /** Age of the oldest of them. */
        oldestWaitingSeconds: number;
        /** Dead letters. */
        deadLetters: number;
        /** Failed attempts of the last hour; 10000 means that or more. */
        failedAttempts: number;
    };
    /** Messages that are still to be sent. */
    sends: {
        /** Messages that wait for their turn or for an answer of WhatsApp; 100000 means that or more. */
        waiting: number;
        /** Scheduled messages; 100000 means that or more. */
        scheduled: number;
    };
    /** Instances with dead letters, with deliveries that wait for longer than a minute, or with sends that failed in the last hour; those with most first. Nodes of former releases leave it out. */
    troubled?: {
        /** Id of the instance; null for the webhook of all instances. */
        id: string | null;
        /** Name of the instance; null for the webhook of all instances. */
        name: string | null;
        /** Dead letters of its webhooks. */
        deadLetters: number;
        /** Deliveries to its webhooks that wait for longer than a minute, among the oldest 10000 of all. */
        waiting: number;
        /** Messages that were not sent in the last hour. */
        failedSends: number;
    }[];
    /** The last hour of each living node, by name, at most 100 nodes. Nodes of former releases leave it out. */
    nodes?: {
        /** Its name, NODE_ID. */
        id: string;
        /** This life of the process; another one after each restart. */
        incarnation: string;
        /** The last 60 minutes, oldest first, by its own clock, without those in which it did not run. Null when it did not answer in time, or runs a former release. */
        minutes: {
            /** Its beginning, UTC. */
            at: string;
            /** Delay of the event loop that 99 of 100 measurements stay below. */
            lagSeconds: number;
            /** Resident memory of the process at its end. */
            memoryBytes: number;
            /** Time that 99 of 100 transactions of the journal stay below; 0 without any. */
            commitSeconds: number;
            /** Largest size of the writes that waited for a transaction. */
            waitingBytes: number;
            /** The longest stop of the event loop of at least 250 ms, and the work that took most of it; null without one. Nodes of former releases leave it out. */
            longestStop?: {
                /** How long it lasted. */
                seconds: number;
                /** Kind of the work: turn, job, delivery, reply, command, frame, event or request; empty if it is not known. */
                kind: string;
                /** What was done, such as the type of a command; empty if it is not known. */
                operation: string;
                /** Part of the gateway to which it belongs, such as `send`, `webhooks` or `chatwoot`; empty if it is not known. Nodes of former releases leave it out. */
                feature?: string;
                /** Id of the instance; empty if it is not known, or if the work was of none. */
                instance: string;
            } | null;
        }[] | null;
    }[];
    /** Address of the operator's Grafana (DASHBOARD_GRAFANA_URL); null if none is configured. Nodes of former releases leave it out. */
    grafanaUrl?: string | null;
    /** Days for which messages and events are kept (RETENTION_DAYS); 0 keeps them for good. Nodes of former releases leave it out. */
    retentionDays?: number;
};
export type TrafficReply = {
    /** When they were read, UTC. */
    at: string;
    /** Hours that the rows are about. */
    hours: number;
    /** Minutes of a row. */
    stepMinutes: number;
    /** The oldest first. Times without traffic have no row. */
    rows: {
        /** Its beginning, UTC. */
        at: string;
        /** Messages of the accounts that WhatsApp accepted, from phones too. */
        sent: number;
        /** Messages of others. */
        received: number;
        /** Messages that WhatsApp refused. */
        failed: number;
        /** Events that webhooks took. */
        delivered: number;
        /** Duration of a webhook call that half of the delivered events stay below, to about an eighth; null without any. */
        p50Seconds: number | null;
        /** Duration of a webhook call that 99 of 100 delivered events stay below. */
        p99Seconds: number | null;
    }[];
    /** Nodes with traffic in these hours, up to 100, those with most first. */
    nodes: {
        /** Its name, NODE_ID. */
        id: string;
        /** Messages of the accounts that WhatsApp accepted, from phones too. */
        sent: number;
        /** Messages of others. */
        received: number;
        /** Messages that WhatsApp refused. */
        failed: number;
        /** Events that webhooks took. */
        delivered: number;
        /** Duration of a webhook call that half of the delivered events stay below, to about an eighth; null without any. */
        p50Seconds: number | null;
        /** Duration of a webhook call that 99 of 100 delivered events stay below. */
        p99Seconds: number | null;
    }[];
    /** UTC days of these hours on which agents worked, of all instances together, the oldest first. */
    agents: {
        /** The day, such as `2026-01-31`. */
        day: string;
        /** Turns that asked a model. */
        turns: number;
        /** Tokens that models read and wrote. */
        tokens: number;
        /** Cost of the calls, in the currency of the agents' prices; 0 without prices. */
        cost: number;
    }[];
    /** How many instances had which status, the oldest first. A row holds until the next one: while nothing changes there is none. The first may be older than these hours. `node` does not change them. */
    accounts: {
        /** Beginning of the step, UTC. */
        at: string;
        /** Connected to WhatsApp. */
        connected: number;
        /** Connecting. */
        connecting: number;
        /** Disconnected. */
        disconnected: number;
    }[];
};
export type NodeRecord = {
    /** Its name, NODE_ID. */
    id: string;
    /** This life of the process; another one after each restart. */
    incarnation: string;
    /** Address for other nodes, `host:port`. */
    address: string;
    /** Of the gateway. */
    version: string;
    /** `active`; `draining`: it gives its shards away and gets none; `silent`: a sign of life is overdue; `dead`: its shards are about to be taken over. */
    state: "active" | "draining" | "silent" | "dead";
    /** Whether it is the node that answers. */
    isSelf: boolean;
    /** How many shards it owns. */
    shards: number;
    /** How many of the instances in them should be connected. */
    instances: number;
    /** When it joined, UTC. */
    registered: string;
    /** The last sign of life that the answering node has seen, UTC; null when it has seen none so far. */
    lastSeen: string | null;
};
export type StoreStateRecord = {
    /** `current`: it is the store that all nodes use; `outdated`: an old primary, other nodes use a newer timeline; `foreign`: another database than the other nodes use; `behind`: it went back in time, and the nodes are about to start again. Only in `current` the node serves instances. */
    state: "current" | "outdated" | "foreign" | "behind";
    /** The last time that the store went back in time; null if it never did. */
    wentBack: {
        /** Number of the era that began then; the first one is 1. */
        era: number;
        /** `failover`: the new primary did not have the last commits; `restore`: an older copy took its place. */
        cause: "failover" | "restore";
        /** When a node noticed it, RFC 3339. */
        noticedAt: string;
        /** NODE_ID of that node. */
        noticedBy: string;
        /** Commits from this time on may be missing, RFC 3339. Null when it is not known. */
        lostFrom: string | null;
        /** Time of the last commit that may be missing, RFC 3339. Null when it is not known. */
        lostUntil: string | null;
    } | null;
};
export type NodesReply = {
    /** By name. */
    nodes: NodeRecord[];
    /** PostgreSQL as the asked node sees it. */
    store: StoreStateRecord;
};
export type ShardsReply = {
    /** By number. */
    shards: {
        /** Its number. */
        shard: number;
        /** The name of the node that owns it; null when none does. */
        node: string | null;
        /** Id of the node's present process. */
        incarnation: string | null;
        /** Nobody lives who owns it; soon somebody will. */
        isFree: boolean;
        /** Number that grows with each change of the owner. */
        epoch: number;
        /** Start of this epoch, UTC. */
        since: string;
        /** How many of its instances should be connected. */
        instances: number;
    }[];
};
export type DrainNodeReply = {
    /** The node that drains. With the name of a machine that runs several processes (NODE_PROCESSES), the first of those, all of which drain. */
    node: NodeRecord;
};
export type PlacementReply = {
    /** The instance. */
    instance: string;
    /** Its shard. */
    shard: number;
    /** `here`: the answering node owns it. `there`: another node owns it. `moving`: the answering node owns it, but is not ready yet or is about to give it away. `none`: no living node owns it, for some seconds after a node has died. */
    state: "here" | "there" | "moving" | "none";
    /** The name of the node that owns it; null when `none`. */
    node: string | null;
    /** Id of the node's present process. */
    incarnation: string | null;
    /** Address for other nodes, `host:port`. */
    address: string | null;
    /** Number that grows with each change of the owner. */
    epoch: number;
    /** Start of this epoch, UTC. */
    since: string;
};
export type RecordStanzasRequest = {
    /** `true` starts a recording, or continues the one under way. `false` stops it; the file stays. */
    recording: boolean;
};
export type RecordingReply = {
    /** Id of the instance. */
    instance: string;
    /** True while stanzas are recorded. A recording ends when it is stopped, when its file is full, when it is the oldest of more than `RECORDINGS_MAX`, and when the node stops. It pauses while another node owns the instance. */
    recording: boolean;
    /** Name of the node that owns the instance. The recording is on this node. */
    node: string;
    /** Path of the file on that node. Null if the node has made no recording of the instance since its start. */
    file: string | null;
    /** Number of recorded stanzas. */
    stanzas: number;
    /** Length of the file in bytes. */
    bytes: number;
};
export type ShowRecordingReply = {
    /** Id of the instance. */
    instance: string;
    /** True while stanzas are recorded. A recording ends when it is stopped, when its file is full, when it is the oldest of more than `RECORDINGS_MAX`, and when the node stops. It pauses while another node owns the instance. */
    recording: boolean;
    /** Name of the node that owns the instance. The recording is on this node. */
    node: string;
    /** Path of the file on that node. Null if the node has made no recording of the instance since its start. */
    file: string | null;
    /** Number of recorded stanzas. */
    stanzas: number;
    /** Length of the file in bytes. */
    bytes: number;
    /** The file: one JSON object per line. Empty if there is no recording. */
    content: string;
};
export type OpenPassRequest = {
    /** It ends then at the latest; left out, after 12 hours. Without a call it ends after 30 minutes. */
    expiresInSeconds?: number;
};
export type PassRecord = {
    /** Names it, in the audit log too. */
    id: string;
    /** The instance that it opens; empty for an administrator's own pass. */
    instance: string;
    /** True for the code of a link to the dashboard, which was not used yet; the pass that it makes has an id of its own. */
    isCode: boolean;
    /** True for the pass of a link that only pairs the instance, and for its code. */
    isPairing: boolean;
    /** Kind of the token from which it was made. */
    openedBy: "admin" | "token" | "key";
    /** Names that token: `ADMIN_TOKEN`, the id of a key, or the first characters of a token's SHA-256 in hex. */
    actor: string;
    /** When it was made, UTC. */
    created: string;
    /** When it ends unless it is used before, UTC. */
    idleEnds: string;
    /** When it ends at the latest, UTC. */
    ends: string;
};
export type OpenPassReply = {
    /** What is kept of it. */
    pass: PassRecord;
    /** What its calls carry: a pass of an instance in the header `token`, an administrator's own in `admintoken`. */
    token: string;
};
export type ShowPassReply = {
    /** Kind of the token, or of the one from which the pass was made. */
    kind: "admin" | "token" | "key";
    /** Scopes of a key. Empty for tokens, which may do everything of their kind. */
    scopes: ("read" | "send" | "change")[];
    /** The JID of the one chat that the key is for; empty: all. */
    chat: string;
    /** True for the pass of a pairing link, which only pairs the instance. */
    pairing: boolean;
    /** The instance; null for an administrator. */
    instance: Instance | null;
    /** The pass; null when the caller's token is not a pass. */
    pass: PassRecord | null;
    /** Version of the gateway. */
    version: string;
    /** What is switched on. */
    features: {
        /** Whether audio and video are converted before they are sent. */
        conversion: boolean;
        /** Whether menus are sent as text where WhatsApp does not draw them. */
        menuTextFallback: boolean;
        /** Largest file that is sent, in bytes (MEDIA_MAX_BYTES). */
        mediaMaxBytes: number;
    };
};
export type EndPassReply = {
    /** A sentence. */
    response: string;
};
export type OpenPassCodeRequest = {
    /** It ends then at the latest; left out, after 10 minutes. */
    expiresInSeconds?: number;
};
export type OpenPassCodeReply = {
    /** What is kept of it. */
    pass: PassRecord;
    /** `POST /pass` takes it once, in the header that the token of this call had, and makes the pass. A link has it in its fragment, which browsers do not send: `/dashboard/#welcome=<code>`. */
    code: string;
};
export type OpenInstancePassRequest = {
    /** It ends then at the latest; left out, after 12 hours. Without a call it ends after 30 minutes. */
    expiresInSeconds?: number;
};
export type OpenInstancePassReply = {
    /** What is kept of it. */
    pass: PassRecord;
    /** What its calls carry: a pass of an instance in the header `token`, an administrator's own in `admintoken`. */
    token: string;
};
export type OpenPairingLinkRequest = {
    /** It ends then at the latest; left out, after 15 minutes. */
    expiresInSeconds?: number;
};
export type OpenPairingLinkReply = {
    /** What is kept of it. */
    pass: PassRecord;
    /** `POST /pass` takes it once, in the header `token`, and makes a pass of at most 15 minutes that sees the QR or code of the instance, and nothing else. It ends with the pass or token with which the link was made. A link has it in its fragment, which browsers do not send. */
    code: string;
    /** The path of the page, with the code in its fragment: `/dashboard/#pair=<code>`. */
    path: string;
};
export type PassesReply = {
    /** The newest first. */
    passes: PassRecord[];
    /** Whether there are older ones. */
    hasMore: boolean;
    /** `cursor` of the next page; null when there is none. */
    next: string | null;
};
export type EndListedPassReply = {
    /** A sentence. */
    response: string;
};
export type SetProfileNameRequest = {
    /** The name, at most 25 characters. */
    name: string;
};
export type SetProfileNameReply = {
    /** Whether it is done. */
    success: boolean;
    /** Result. */
    message: string;
    /** The profile. */
    profile: {
        /** The name. */
        name: string;
        /** When, Unix milliseconds. */
        updated_at: number;
    };
};
export type SetProfileStatusRequest = {
    /** The about text, at most 139 characters. An empty text removes it. */
    text: string;
};
export type SetProfileStatusReply = {
    /** Always true. */
    success: boolean;
    /** The change that was made. */
    message: string;
    /** The profile. */
    profile: {
        /** The about text. */
        status: string;
        /** Time of the change, Unix milliseconds. */
        updated_at: number;
    };
};
export type SetProfileImageRequest = {
    /** A URL, base64 or a data URL of a JPEG, PNG, WebP or GIF of at most 5 MiB; `remove` or `delete` removes the picture. The gateway cuts the picture to a square of 640 by 640 pixels. */
    image: string;
};
export type SetProfileImageReply = {
    /** Always true. */
    success: boolean;
    /** The change that was made. */
    message: string;
    /** The profile. */
    profile: {
        /** True when the picture was replaced. */
        image_updated: boolean;
        /** True when the picture was removed. */
        image_removed: boolean;
        /** Time of the change, Unix milliseconds. */
        updated_at: number;
    };
};
export type BusinessProfileRequest = {
    /** Number with country code, or JID, of the business; the account itself when missing. */
    jid?: string;
};
export type BusinessProfileReply = {
    /** The profile; empty texts where the business gives nothing. */
    response: {
        /** Version of the profile on WhatsApp. */
        tag: string;
        /** Description. */
        description: string;
        /** Address. */
        address: string;
        /** Mail address. */
        email: string;
        /** Addresses of pages. */
        websites: string[];
        /** Categories. */
        categories: {
            /** Id of the category. */
            id: string;
            /** Its name, in the language of the account. */
            localized_display_name: string;
        }[];
        /** Opening hours; without days when none are given. */
        hours: {
            /** IANA name of the time zone. */
            timezone: string;
            /** Days; one with several times is listed several times. */
            days: {
                /** Day of the week: `sun`, `mon`, … */
                day: string;
                /** `open_24h`, `appointment_only` or `specific_hours`. */
                mode: string;
                /** Minutes after midnight; null without hours. */
                open: number | null;
                /** Minutes after midnight; null without hours. */
                close: number | null;
            }[];
        };
    };
};
export type BusinessCategoriesReply = {
    /** The categories. */
    response: {
        /** Id of the category. */
        id: string;
        /** Its name, in the language of the account. */
        localized_display_name: string;
    }[];
};
export type UpdateBusinessProfileRequest = {
    /** Description. */
    description?: string;
    /** Address. */
    address?: string;
    /** Mail address. */
    email?: string;
    /** Up to two addresses of pages; an empty list removes them. */
    websites?: string[];
    /** Ids of categories, of `/business/get/categories`. */
    categories?: string[];
};
export type UpdateBusinessProfileReply = {
    /** Fields that were changed. */
    updated: string[];
    /** Fields that WhatsApp refused. */
    failed: string[];
    /** One for each field. */
    results: {
        /** The field. */
        field: string;
        /** It was changed. */
        success: boolean;
        /** Why not; empty when it was changed. */
        error: string;
        /** WhatsApp's code; null when it was changed. */
        provider_code: number | null;
    }[];
};
export type ListCatalogRequest = {
    /** Number with country code, or JID, of the business; the account itself when missing. */
    jid?: string;
    /** Cursor of the page, from `after` of the one before. */
    after?: string;
    /** Maximum of products; 10 when missing. */
    limit?: number;
};
export type CatalogProduct = {
    /** Id of the product. */
    id: string;
    /** Id that the business gave it; may be empty. */
    retailer_id: string;
    /** Name. */
    name: string;
    /** Description; may be empty. */
    description: string;
    /** In thousandths of the currency's unit: 5000 is 5; null when none is given. */
    price: number | null;
    /** ISO code of the currency. */
    currency: string;
    /** Address of a page; may be empty. */
    url: string;
    /** Addresses of its images. */
    image_urls: string[];
    /** Customers do not see it. */
    is_hidden: boolean;
    /** Whether it can be had. */
    availability: string;
    /** State of WhatsApp's review. */
    review_status: string;
};
export type ListCatalogReply = {
    /** The page. */
    response: {
        /** The products. */
        products: CatalogProduct[];
        /** Cursor of the next page; empty at the end. */
        after: string;
    };
};
export type ShowProductRequest = {
    /** Number with country code, or JID, of the business; the account itself when missing. */
    jid?: string;
    /** Id of the product. */
    id: string;
};
export type ShowProductReply = {
    /** The product as WhatsApp has it. */
    response: CatalogProduct;
};
export type AddProductRequest = {
    /** Name. */
    name: string;
    /** Description. */
    description?: string;
    /** An id of your own. */
    retailer_id?: string;
    /** Price in thousandths of the currency's unit: 5000 is 5. */
    price?: number;
    /** ISO code of the currency, such as BRL. Needed with `price`. */
    currency?: string;
    /** Address of the product's page. */
    url?: string;
    /** Up to ten images: URLs, base64 or data URLs of a JPEG, PNG, WebP or GIF. The gateway cuts each to a square of 640 by 640 pixels. Addresses of images that WhatsApp gave are kept as they are. */
    images: string[];
    /** Customers do not see it. */
    is_hidden?: boolean;
};
export type AddProductReply = {
    /** The product as WhatsApp has it. */
    response: CatalogProduct;
};
export type ChangeProductRequest = {
    /** Id of the product. */
    id: string;
    /** Name. */
    name?: string;
    /** Description. */
    description?: string;
    /** An id of your own. */
    retailer_id?: string;
    /** Price in thousandths of the currency's unit: 5000 is 5. */
    price?: number;
    /** ISO code of the currency, such as BRL. Needed with `price`. */
    currency?: string;
    /** Address of the product's page. */
    url?: string;
    /** Up to ten images: URLs, base64 or data URLs of a JPEG, PNG, WebP or GIF. The gateway cuts each to a square of 640 by 640 pixels. Addresses of images that WhatsApp gave are kept as they are. */
    images?: string[];
    /** Customers do not see it. */
    is_hidden?: boolean;
};
export type ChangeProductReply = {
    /** The product as WhatsApp has it. */
    response: CatalogProduct;
};
export type DeleteProductRequest = {
    /** Id of the product. */
    id: string;
};
export type DeleteProductReply = {
    /** A sentence. */
    response: string;
};
export type ShowInCatalogRequest = {
    /** Id of the product. */
    id: string;
};
export type ShowInCatalogReply = {
    /** The product as WhatsApp has it. */
    response: CatalogProduct;
};
export type HideInCatalogRequest = {
    /** Id of the product. */
    id: string;
};
export type HideInCatalogReply = {
    /** The product as WhatsApp has it. */
    response: CatalogProduct;
};
export type ShowOrderRequest = {
    /** The message, as `owner:messageid`, the bare id, or the internal id. */
    id: string;
};
export type ShowOrderReply = {
    /** The order. */
    response: {
        /** Id of the order. */
        orderId: string;
        /** Id of the message. */
        messageid: string;
        /** In thousandths of the currency's unit: 5000 is 5; null when none is given. */
        total: number | null;
        /** ISO code of the currency. */
        currency: string;
        /** The products. */
        products: {
            /** Id of the product. */
            id: string;
            /** Name. */
            name: string;
            /** Address of its image; may be empty. */
            image_url: string;
            /** In thousandths of the currency's unit: 5000 is 5; null when none is given. */
            price: number | null;
            /** ISO code of the currency. */
            currency: string;
            /** How many. */
            quantity: number;
        }[];
    };
};
export type SendOptions = {
    /** An id of your own for the message, unlike all others of the account: 10 to 40 digits and capital letters A to F, as WhatsApp's ids are. One that was used is refused. Without it the gateway makes one. */
    messageid?: string;
    /** Milliseconds to wait before sending, at most 24 hours; typing or recording is shown meanwhile, for at most 300000. Above 10000 (the setting `SEND_ACK_TIMEOUT_MS`) the answer comes at once with the status `queued`, and later sends to the chat wait behind it. */
    delay?: number;
    /** Mark the chat as read after sending. */
    readchat?: boolean;
    /** Mark the last 10 received messages as read. */
    readmessages?: boolean;
    /** The message to answer: `owner:messageid`, the bare id, or the internal id. */
    replyid?: string;
    /** Text of the message that `replyid` names, for one that is no longer stored (`RETENTION_DAYS`): it is quoted with this text, as a message of the other side. In groups its author is not known then, and nothing is quoted. */
    quoted?: string;
    /** In groups: numbers separated by commas, or `all`. */
    mentions?: string;
    /** Mark the message as forwarded. */
    forward?: boolean;
    /** Where the message comes from, in words of your own. */
    track_source?: string;
    /** An id of your own; the same may be used again. */
    track_id?: string;
    /** When to send it, at most 366 days ahead: milliseconds since 1970, RFC 3339 with an offset (`2027-01-31T09:00:00-03:00`), or a local time together with `timezone`. The answer comes at once with the status `scheduled`. A time less than 2 seconds ahead is now. An empty text is refused. */
    send_at?: string | number;
    /** IANA name of the time zone of a `send_at` without an offset, such as `America/Sao_Paulo`. A local time that the clocks skip moves forward; of one that comes twice the first counts. */
    timezone?: string;
    /** Of a scheduled message: milliseconds after `send_at` from which it must no longer leave; it then fails as expired. Default: the setting `SEND_MAX_AGE_MS`. */
    expire_after?: number;
    /** false: `{{name}}` and the like are sent as they are. Default: true. */
    placeholders?: boolean;
    /** true: the event `messages_update` with the state `Sent` comes also if the answer says that the message was sent. */
    sentEvent?: boolean;
    /** Queue the send and answer at once. */
    "async"?: boolean;
    /** For how many minutes agents stay quiet in the chat, for a message that a person wrote in another client. It also ends the answer that is under way, and never shortens a longer pause. It counts from the call; of a scheduled message, from its time. 0: agents continue. */
    pauseChatbotMinutes?: number;
};
export type SendTextRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The text; placeholders such as `{{name}}` are filled in. */
    text: string;
    /** Show a preview of the first link in the text. */
    linkPreview?: boolean;
    /** The title of the preview; when given, the page is not fetched. */
    linkPreviewTitle?: string;
    /** The description of the preview. */
    linkPreviewDescription?: string;
    /** The picture of the preview instead of the page's: a URL, base64 or a data URL of a JPEG, PNG, WebP or GIF of at most 5 MiB; base64 counts as body (BODY_LIMIT_BYTES). */
    linkPreviewImage?: string;
    /** Show the picture of the preview large, over the width of the message. It is brought to WhatsApp as a file is; when it cannot be, the preview is shown small, and a warning says so. */
    linkPreviewLarge?: boolean;
};
export type Ad = {
    /** How the person came, in WhatsApp's words, such as `ctwa_ad` or `FB_Ads`. */
    source?: string;
    /** Kind of the source, such as `ad` or `post`. */
    sourceType?: string;
    /** Id of the ad or post. */
    sourceId?: string;
    /** URL of the ad or post. */
    sourceUrl?: string;
    /** App in which the person saw the ad, such as `facebook` or `instagram`. */
    sourceApp?: string;
    /** Title of the ad. */
    title?: string;
    /** Text of the ad. */
    body?: string;
    /** URL of the ad's video. */
    mediaUrl?: string;
    /** URL of the ad's image. */
    thumbnailUrl?: string;
    /** Id of the click, for the conversions API of the ad's platform. */
    ctwaClid?: string;
    /** Text that the advertiser has put into the link of the ad. */
    ref?: string;
    /** Source of the conversion, such as `FB_Ads`. */
    conversionSource?: string;
    /** Data of the conversion, as base64. Only the ad's platform can read them. */
    conversionData?: string;
    /** Time between the click and the message, in seconds. */
    conversionDelaySeconds?: number;
    /** Place from which the person opened the chat, such as `ctwa_ad`. */
    entryPoint?: string;
    /** App of that place. */
    entryPointApp?: string;
    /** Time since the person opened the chat, in seconds. */
    entryPointDelaySeconds?: number;
    /** Data of the click, as base64. Only the ad's platform can read them. */
    ctwaPayload?: string;
    /** Signals of the click. */
    ctwaSignals?: string;
    /** `utm_source` of the link. */
    utmSource?: string;
    /** `utm_campaign` of the link. */
    utmCampaign?: string;
};
export type Schedule = {
    /** The time in UTC. */
    send_at: string;
    /** The time as it was asked. */
    asked: string;
    /** The time zone in which it was asked; empty for an instant. */
    timezone: string;
    /** About when the message leaves, in UTC, by the pace of the instance and the messages that are due before it; not before `send_at`. Only while the message is scheduled. */
    leaves_at?: string;
    /** If the message has not left by then, it fails as expired. */
    expires_at: string;
    /** Grows with each change. A change names the one that it is based on. */
    revision: number;
};
export type Message = {
    /** The internal id: `r` and hex digits, unique within its instance. */
    id: string;
    /** The id of the message at WhatsApp. */
    messageid: string;
    /** The chat: the JID of the number when it is known, else the LID, or the group id. Usable as `number` of a send. */
    chatid: string;
    /** The LID of the chat, when it is known. */
    chatlid?: string;
    /** Whether this account wrote it. */
    fromMe: boolean;
    /** Whether it belongs to a group. */
    isGroup?: boolean;
    /** The name of the group; empty in other chats, and while it is not known. */
    groupName?: string;
    /** Kind of the message. Kinds without a name of their own in clients are `other`; then `type` is WhatsApp's name, and `text` is a summary in words. Of a message that is not understood `type` is `unknown`, and `content.fields` has the numbers of its fields. A `note` is not a message: it is the record of a change that could not be applied, such as an edit that came before its message. Then `type` is the kind of the change, `quoted` the id of the message that it is about, and `content` is `{kind, target, reason, isApplied, text?}`. It does not count as unread and does not change the chat. `unreadable` has no content: `content` is `{reason, state}`, where `waiting` means that the content may come and take its place, and `unavailable` that it will not. */
    messageType: "text" | "image" | "video" | "document" | "audio" | "location" | "button" | "list" | "reaction" | "contact" | "sticker" | "unreadable" | "poll" | "order" | "product" | "invite" | "event" | "payment" | "call" | "album" | "comment" | "pin" | "note" | "other";
    /** The kind of media: image, video, gif, ptt, audio, document, sticker, location, vcard, … */
    mediaType?: string;
    /** The coarse kind: text, media, poll, … */
    "type"?: string;
    /** When it was written, in milliseconds since 1970. */
    messageTimestamp: number;
    /** The edit history: JSON, `[{"text", "at"}]`, oldest edit first, so that the last entry is the present text; `at` is in milliseconds since 1970. Empty when it was never edited. The newest 50 edits are kept, and of these as many as fit into 64 KiB, the newest in any case. Of messages that were edited under release 0.1.0 it is the present text itself, and `text` the same. */
    edited?: string;
    /** The ad that brought the person to write this message. Absent for other messages. */
    ad?: Ad;
    /** The id of the message that it answers. */
    quoted?: string;
    /** The id of the message that it reacts to. */
    reaction?: string;
    /** JID of the sender. */
    sender?: string;
    /** The number JID of who wrote it, when it is known. */
    sender_pn?: string;
    /** The LID of who wrote it, when it is known. */
    sender_lid?: string;
    /** The username of who wrote it, without `@`; empty when none is known, and for messages of the account itself. */
    sender_username?: string;
    /** The name of who wrote it. */
    senderName?: string;
    /** The kind of device that wrote it; empty when unknown. */
    source?: "ios" | "web" | "android" | "";
    /** How far it has come. Grows only in this order; `failed`, `canceled` and `deleted` end it. One that is `scheduled` is listed by `GET /message/scheduled` only. */
    status: "scheduled" | "queued" | "pending" | "sent" | "delivered" | "read" | "played" | "failed" | "canceled" | "deleted";
    /** In the answer of a send that was queued, delayed or scheduled: an estimate of how many sends of the queue, this one included, leave on the present UTC day, and why the others wait. Of a delayed or scheduled one it says this of itself alone. */
    today?: {
        /** Sends that leave today. */
        leaving: number;
        /** Sends that leave later. */
        waiting: number;
        /** Why they wait; null if none does. `scheduled`: the start; `pace`: the pauses, or the rate of the instance; `new_chat_budget`: the number is new, and reaches few people a day who never wrote to it; else as `hold.reason` of the campaign. */
        reason: string | null;
        /** Time until which that holds, if it is known. */
        until: string | null;
    };
    /** Of a scheduled message: when it leaves. */
    schedule?: Schedule;
    /** The original text or caption; of a kind without one a summary in words. What it says after edits is in `edited`. */
    text?: string;
    /** What was chosen of a poll, a list or buttons, joined by `, `. Of a poll itself what it has come to, as JSON: `[{"option":"Red","votes":2}]`; who takes what is in `content.votes`. */
    vote?: string;
    /** The id of the tapped button or list item. */
    buttonOrListid?: string;
    /** The options of a list, poll or buttons, joined. */
    convertOptions?: string;
    /** Where its media can be downloaded. */
    fileURL?: string;
    /** The full content: a string for plain text, else an object; binary fields as base64. */
    content?: unknown;
    /** The number of the account, in digits. */
    owner: string;
    /** As given when it was sent. */
    track_source?: string;
    /** As given when it was sent. */
    track_id?: string;
    /** Whether it was sent by a call of this API. */
    wasSentByApi?: boolean;
    /** The operation that sent it. */
    sendFunction?: string;
    /** Request of the operation, while it is queued. */
    sendPayload?: unknown;
    /** Until when the message is pinned in its chat for all members, in milliseconds since 1970; absent when it is not. */
    pinnedUntil?: number;
    /** True if the account has starred the message; absent when it has not. */
    starred?: boolean;
    /** The campaign that it belongs to. */
    send_folder_id?: string;
    /** Why it failed. */
    error?: string;
    /** The code with which WhatsApp refused it. */
    provider_code?: number | null;
    /** Request to an AI agent and its answer. */
    ai_metadata?: {
        /** The agent. */
        agent_id?: string;
        /** Request. */
        request?: {
            /** The conversation that was given. */
            messages?: unknown[];
            /** The tools that were offered. */
            tools?: unknown[];
            /** How the model was set. */
            options?: {
                /** Its name. */
                model?: string;
                /** Its temperature. */
                temperature?: number;
                /** Its bound. */
                maxTokens?: number;
                /** Its nucleus. */
                topP?: number;
                /** Its penalty for repetition. */
                frequencyPenalty?: number;
                /** Its penalty for presence. */
                presencePenalty?: number;
            };
        };
        /** Answer. */
        response?: {
            /** The answers. */
            choices?: unknown[];
            /** Results of the tools. */
            toolResults?: unknown[];
            /** Why it failed. */
            error?: string;
        };
    };
    /** When it was stored, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. */
    created?: string;
    /** When it last changed, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. */
    updated?: string;
};
export type SentMessage = Message & {
    /** The outcome. */
    response: {
        /** Always `success`. */
        status: "success";
        /** A sentence. */
        message: string;
        /** Of a file that was sent: where it is given. */
        fileUrl?: string;
    };
    /** Fields that were ignored or left out. */
    warnings?: string[];
};
export type SendTextReply = SentMessage;
export type SendContactRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The name on the card. */
    fullName: string;
    /** The numbers on the card, with country code, separated by commas; at most 20. */
    phoneNumber: string;
    /** The organization. */
    organization?: string;
    /** The mail address. */
    email?: string;
    /** The address of a page. */
    url?: string;
    /** Further contacts, which arrive in the same message. */
    others?: {
        /** The name on the card. */
        fullName: string;
        /** The numbers on the card, with country code, separated by commas; at most 20. */
        phoneNumber: string;
        /** The organization. */
        organization?: string;
        /** The mail address. */
        email?: string;
        /** The address of a page. */
        url?: string;
    }[];
};
export type SendContactReply = SentMessage;
export type SendLocationRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** Degrees north; negative is south. */
    latitude: number;
    /** Degrees east; negative is west. */
    longitude: number;
    /** The name of the place. */
    name?: string;
    /** Its address. */
    address?: string;
};
export type SendLocationReply = SentMessage;
export type SendMenuRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** What the choices become. */
    "type": "button" | "list" | "poll" | "carousel";
    /** The main text, or the question of a poll; placeholders such as `{{name}}` are filled in. */
    text: string;
    /** What there is to choose. The form of each string depends on the type: `text|id`, `text|copy:code`, `text|call:phone`, `text|url`, `[section or card]`, `text|id|description`, `{image}`. */
    choices: string[];
    /** The small text below; buttons and lists. */
    footerText?: string;
    /** The label of the button that opens the list; lists only. */
    listButton?: string;
    /** How many options a voter may take, 0 for any number; polls only. 1 when it is not given. */
    selectableCount?: number;
    /** An image above the text, as a URL or base64, which may be as large as MEDIA_MAX_BYTES allows; buttons only. */
    imageButton?: string;
    /** Send it as a text with numbered choices when WhatsApp refuses it (codes 405, 473, 479). When it is not given, MENU_TEXT_FALLBACK of the server decides. */
    fallback?: boolean;
};
export type SendMenuReply = SentMessage;
export type SendCarouselRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The main text; placeholders such as `{{name}}` are filled in. */
    text: string;
    /** The cards, from left to right. */
    carousel: {
        /** The text of the card. */
        text: string;
        /** An image, as a URL or base64, which may be as large as MEDIA_MAX_BYTES allows. */
        image?: string;
        /** A video, as a URL or base64, which may be as large as MEDIA_MAX_BYTES allows. */
        video?: string;
        /** A document, as a URL or base64, which may be as large as MEDIA_MAX_BYTES allows. */
        document?: string;
        /** The name of the document. */
        filename?: string;
        /** Its buttons. */
        buttons: {
            /** What the button carries: the id of a reply, the URL, the code or the phone number. */
            id?: string;
            /** Its label. */
            text: string;
            /** Description for the agent. */
            "type": "REPLY" | "URL" | "COPY" | "CALL";
        }[];
    }[];
    /** Send it as a text with numbered choices when WhatsApp refuses it (codes 405, 473, 479). When it is not given, MENU_TEXT_FALLBACK of the server decides. */
    fallback?: boolean;
};
export type SendCarouselReply = SentMessage;
export type SendPixButtonRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The kind of the key: `CPF`, `CNPJ`, `PHONE`, `EMAIL` or `EVP`, in capitals or not. Without it the answer is 400. */
    pixType?: string;
    /** The key. Check digits and forms are checked; points, dashes and spaces do not count. */
    pixKey: string;
    /** The name of who receives; `Pix` when it is empty. */
    pixName?: string;
};
export type SendPixButtonReply = SentMessage;
export type SendLocationButtonRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The text above the button. */
    text: string;
};
export type SendLocationButtonReply = SentMessage;
export type SendRequestPaymentRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The amount in reais, with at most two decimals. */
    amount: number;
    /** The title above the text. */
    title?: string;
    /** The text of the message. */
    text?: string;
    /** The small text below. */
    footer?: string;
    /** What is paid for; the title when it is empty, or else `Payment`. */
    itemName?: string;
    /** Your number of the order, which the payment shows: letters, digits, `.`, `_` and `-`. One is made when it is empty. */
    invoiceNumber?: string;
    /** The kind of `pixKey`: `CPF`, `CNPJ`, `PHONE`, `EMAIL` or `EVP`, in capitals or not; `EVP` when it is empty. */
    pixType?: string;
    /** The Pix key. Check digits and forms are checked; points, dashes and spaces do not count. */
    pixKey?: string;
    /** The name of who receives; `Pix` when it is empty. */
    pixName?: string;
    /** The https address of a page for the payment. WhatsApp shows links of payment providers that it knows. */
    paymentLink?: string;
    /** The code of a boleto: 47 or 48 digits. Points, dashes and spaces do not count. */
    boletoCode?: string;
    /** A document shown above the text, such as the invoice: a URL, or base64, which may be as large as MEDIA_MAX_BYTES allows. */
    fileUrl?: string;
    /** The name of the document. */
    fileName?: string;
};
export type SendRequestPaymentReply = SentMessage;
export type SendMediaRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** How it is shown. `videoplay` plays by itself without sound, `ptt` and `myaudio` are voice notes (converted to OGG/OPUS where they are not), `ptv` is a round video. */
    "type": "image" | "video" | "videoplay" | "document" | "audio" | "myaudio" | "ptt" | "ptv" | "sticker";
    /** The file: a URL (http or https), base64, or a data URL. Base64 may be as large as MEDIA_MAX_BYTES allows, beyond the limit of other fields. */
    file: string;
    /** The text beside it (image, video, document); placeholders such as `{{name}}` are filled in. */
    text?: string;
    /** The name of a document; placeholders are filled in. One without an ending gets that of its type. Without this field: the name by the server of the URL (`Content-Disposition`), or the last part of the URL. */
    docName?: string;
    /** Mimetype for the recipients, in place of the one found in the file (document, audio, video). */
    mimetype?: string;
    /** A small picture shown before the file is loaded (image, video, document): a URL or base64. */
    thumbnail?: string;
    /** It can be seen once (image, video, audio). */
    viewOnce?: boolean;
    /** An image with a side of more than 1,600 pixels is sent as phones send HD: a copy of 1,600 pixels first, then the file as it is, which replaces the copy. Without it the file is sent as it is, in one copy. An image that is smaller, is to be seen once, or goes to a channel is sent in one copy, with a warning. */
    hd?: boolean;
};
export type SendMediaReply = SentMessage;
export type SendStatusRequest = {
    /** Kind of post. `audio`, `myaudio` and `ptt` are voice messages (converted to OGG/OPUS where they are not). */
    "type": "text" | "image" | "video" | "audio" | "myaudio" | "ptt";
    /** The text, or what stands below an image or video. */
    text?: string;
    /** Background of a text or voice message: one of 19 colors; 1 when missing. */
    background_color?: number;
    /** Font of a text, by its number on WhatsApp; 0 when missing. */
    font?: 0 | 1 | 2 | 6 | 7 | 8 | 9 | 10;
    /** The image, video (MP4) or audio: a URL (http or https), base64, or a data URL. Base64 may be as large as MEDIA_MAX_BYTES allows, beyond the limit of other fields. */
    file?: string;
    /** A small image shown before the file is loaded (image, video): a URL or base64. */
    thumbnail?: string;
    /** Mimetype for the people, in place of the one found in the file (video). */
    mimetype?: string;
    /** Who may see it. `setting`: as the phone of the account has set it. `contacts`: the address book. `allowlist`: the people in `recipients`. `denylist`: the address book without the people in `recipients`. When missing: `allowlist` with `recipients`, else `setting`. */
    audience?: "setting" | "contacts" | "allowlist" | "denylist";
    /** People of an allow list or deny list: numbers with country code, or JIDs. `debug` of the answer names those who were left out. Numbers that the account does not know are looked up, up to 500 for a post. */
    recipients?: string[];
    /** Maximum of people who get it; the others are left out. 5000 when missing. */
    max_recipients?: number;
    /** Where the message comes from, in words of your own. */
    track_source?: string;
    /** An id of your own; the same may be used again. */
    track_id?: string;
};
export type SendStatusReply = SentMessage & {
    /** Id of the post on WhatsApp, as in `messageid`. */
    Id: string;
    /** The audience. */
    debug: {
        /** Who may see it. */
        audience: "contacts" | "allowlist" | "denylist";
        /** The phone's setting has chosen the audience. */
        from_setting: boolean;
        /** Number of people who were named, or are in the address book. */
        requested: number;
        /** Number of people whom the post is for. */
        recipients: number;
        /** Number of people who were left out. */
        discarded: number;
        /** The first 1000 people who were left out, and why. */
        discarded_recipients: {
            /** As given, or the JID. */
            input: string;
            /** `invalid`: no number. `duplicate`: named twice. `not_on_network`: no account. `excluded`: on the deny list. `over_limit`: beyond `max_recipients`. `not_checked`: beyond the 500 unknown numbers that are looked up for a post. */
            reason: "invalid" | "duplicate" | "not_on_network" | "excluded" | "over_limit" | "not_checked";
        }[];
        /** Somebody was left out. */
        partial_send: boolean;
    };
};
export type SendEventRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The name of the event. */
    name: string;
    /** What it is about. */
    description?: string;
    /** When it begins: milliseconds since 1970, or RFC 3339 with an offset. */
    startTime: string | number;
    /** When it ends; likewise. */
    endTime?: string | number;
    /** Where it is. */
    placeName?: string;
    /** Latitude of the place; with `longitude` only. */
    latitude?: number;
    /** Longitude of the place. */
    longitude?: number;
    /** People may bring others. */
    extraGuests?: boolean;
};
export type SendEventReply = SentMessage;
export type SendForwardRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The message, of whoever: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
};
export type SendForwardReply = SentMessage;
export type SendGroupInviteRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The group, as `JID` of its record says. */
    groupjid: string;
    /** A text above the link, or below the card. Placeholders are filled in. */
    text?: string;
    /** Send a card for this person: `Code` of `AddRequest` in the answer of `POST /group/updateParticipants`. */
    code?: string;
    /** When the card ends: `Expiration` of the same `AddRequest`. Needs `code`. */
    expiration?: string;
};
export type SendGroupInviteReply = SentMessage;
export type SendProductRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** The product, as `id` in `/business/catalog/list`. */
    id: string;
    /** The business whose catalogue has it, by number or JID; the account itself if it is not given. */
    jid?: string;
    /** A text below the product. Placeholders are filled in. */
    text?: string;
    /** A line below the text. Placeholders are filled in. */
    footer?: string;
    /** Another picture than that of the catalogue: an http or https URL, or base64. */
    image?: string;
};
export type SendProductReply = SentMessage;
export type SendAlbumRequest = SendOptions & {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** From 2 to 30 images and videos, in their order. */
    files: {
        /** What it is. */
        "type": "image" | "video";
        /** An http or https URL, or base64. */
        file: string;
        /** Its caption. Placeholders are filled in. */
        text?: string;
    }[];
};
export type SendAlbumReply = SentMessage & {
    /** The messages of the files that were sent, in their order. */
    files: Message[];
    /** Files that were not sent. */
    failed: {
        /** Its place in the list, from 0. */
        index: number;
        /** Code of the error. */
        code: string;
        /** Why, in words. */
        error: string;
    }[];
};
export type CampaignContent = {
    /** The text, the caption of a file, or the main text of a menu. Placeholders such as `{{name}}` are filled in for each recipient. */
    text?: string;
    /** Show a preview of the first link in the text. The page is fetched once, when the campaign is created. */
    linkPreview?: boolean;
    /** The title of the preview. When given, the page is not fetched. */
    linkPreviewTitle?: string;
    /** The description of the preview. */
    linkPreviewDescription?: string;
    /** The picture of the preview: a URL or base64. */
    linkPreviewImage?: string;
    /** Show the picture of the preview large. */
    linkPreviewLarge?: boolean;
    /** The file of an image, video, audio, document or sticker: a URL (http or https), base64, or a data URL. It is fetched once, when the campaign is created. */
    file?: string;
    /** The name of a document. */
    docName?: string;
    /** Mimetype for the recipients, in place of the one found in the file. */
    mimetype?: string;
    /** A small picture that is shown before the file is loaded: a URL or base64. */
    thumbnail?: string;
    /** It can be seen once (image, video, audio). */
    viewOnce?: boolean;
    /** The name of a contact card. */
    fullName?: string;
    /** The numbers of a contact card, separated by commas. */
    phoneNumber?: string;
    /** The organization of a contact card. */
    organization?: string;
    /** The email address of a contact card. */
    email?: string;
    /** The web page of a contact card. */
    url?: string;
    /** Latitude of a location. */
    latitude?: number;
    /** Longitude of a location. */
    longitude?: number;
    /** The name of a location. */
    name?: string;
    /** The address of a location. */
    address?: string;
    /** The choices of a button, list, poll or carousel, as in `/send/menu`. A prefix `reply:` before the id of a reply button is accepted. */
    choices?: string[];
    /** The kind of key in a payment button: `CPF`, `CNPJ`, `PHONE`, `EMAIL` or `EVP`. */
    pixType?: string;
    /** The key of a payment button, as in `/send/pix-button`. */
    pixKey?: string;
    /** The name of who receives the payment. */
    pixName?: string;
    /** The small text below; buttons and lists. */
    footerText?: string;
    /** The same as `listButton`. */
    buttonText?: string;
    /** The label of the button that opens the list; lists only. */
    listButton?: string;
    /** Number of options that a voter may take, 0 for any number; polls only. Default 1. */
    selectableCount?: number;
    /** An image above the text, as a URL or base64; buttons only. */
    imageButton?: string;
    /** Send a menu as a text with numbered choices when WhatsApp refuses it. */
    fallback?: boolean;
    /** Milliseconds for which typing or recording is shown before each message, at most 10000 (`SEND_ACK_TIMEOUT_MS`). It is not the time between two messages: that is `delayMin` and `delayMax`. */
    delay?: number;
    /** Mark the chat as read after sending. */
    readchat?: boolean;
    /** Mark the last 10 received messages as read. */
    readmessages?: boolean;
    /** The message to answer. */
    replyid?: string;
    /** In groups: numbers separated by commas, a list of numbers, or `all`. */
    mentions?: string | string[];
    /** Mark the message as forwarded. */
    forward?: boolean;
    /** Where the message comes from, in words of your own. */
    track_source?: string;
    /** An id of your own; the same may be used again. */
    track_id?: string;
};
export type CreateSimpleCampaignRequest = CampaignContent & {
    /** The recipients, in the order in which they get their messages. */
    numbers: string[];
    /** Kind of the message. */
    "type": "text" | "image" | "video" | "videoplay" | "document" | "audio" | "myaudio" | "ptt" | "ptv" | "sticker" | "contact" | "location" | "button" | "list" | "poll" | "carousel" | "pix";
    /** Minimum time between two messages, in seconds. Default 10. */
    delayMin?: number;
    /** Maximum time between two messages, in seconds. Default 30. Raised to `delayMin` if it is lower. */
    delayMax?: number;
    /** Start: minutes from now (below 1000000000), or Unix milliseconds (from 1000000000000), at most 366 days ahead. A time in the past means now. */
    scheduled_for?: number;
    /** Name of the campaign. Two unfinished campaigns cannot have the same. Default: `info`, or else the time of creation. */
    folder?: string;
    /** A note of your own. */
    info?: string;
    /** Also send messages with a placeholder that has no value, which is then empty, or that is no placeholder, which is then sent as it is. Default false: they are named with the number of recipients, and nothing is created. */
    allowEmpty?: boolean;
    /** Store and send nothing; only answer what the call would do. */
    dryRun?: boolean;
    /** `refuse` (default) refuses the whole request if an entry is invalid; `skip` leaves invalid entries out. */
    onInvalid?: "refuse" | "skip";
    /** Leave out each further entry of a person. Default true; false: a number gets as many messages as it has entries. */
    dedupe?: boolean;
    /** Texts in place of `text`, of which each recipient gets one, by weight. It is the same one when the send is repeated. */
    variants?: {
        /** The text; placeholders are filled in. */
        text: string;
        /** Its share. Default 1. */
        weight?: number;
    }[];
    /** Pause the campaign when WhatsApp has refused more than this many percent of its last 50 messages, or of its first 20 and more. 100: never. Default 20. */
    errorRateMax?: number;
    /** Its share of the turns while several campaigns of the instance are due at once: one of weight 3 has three turns for each of one of weight 1. Default 1. */
    weight?: number;
    /** Leave out people who received one of the instance's campaigns within this many days. */
    skipRecentDays?: number;
    /** Leave out people who have received this many messages from the instance's campaigns within this many days, this campaign included. They are skipped as `frequency` when their turn comes. */
    frequencyCap?: {
        /** Maximum of messages. */
        messages: number;
        /** Days. */
        days: number;
    };
    /** Maximum of messages in a day. When it is reached, the campaign waits for the next day. Default: none. */
    dailyCap?: number;
    /** IANA name of the time zone whose days count for `dailyCap`. Default: that of `window`, or else UTC. */
    timezone?: string;
    /** Days and hours in which it sends. Without it: at any time. */
    window?: {
        /** Days on which the window opens; left out: every day. */
        days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
        /** Begin, `HH:MM`. Default 00:00. */
        "from"?: string;
        /** End, `HH:MM`, up to 24:00, which is the default. Earlier than `from`: on the next day. */
        to?: string;
        /** IANA name of the time zone, such as `America/Sao_Paulo`; or `recipient` for that of each recipient. */
        timezone: string;
        /** Zone of recipients without one, when `timezone` is `recipient`. */
        fallbackTimezone?: string;
    };
};
export type CreateSimpleCampaignReply = {
    /** Id of the campaign; empty for a dry run. */
    folder_id: string;
    /** Number of messages. */
    count: number;
    /** `queued`, or `dry_run` if nothing was stored. */
    status: "queued" | "dry_run";
    /** Entries that were left out because the person got a message of a campaign lately (`skipRecentDays`). */
    recent: number;
    /** Entries that were left out because their number stands before them. */
    duplicates: number;
    /** An estimate of how many messages leave on the present UTC day, and why the others wait. Other campaigns of the instance share its pace. Null if it is not known. */
    today: {
        /** Messages that leave today. */
        leaving: number;
        /** Messages that leave later. */
        waiting: number;
        /** Why they wait; null if none does. `scheduled`: the start; `pace`: the pauses, or the rate of the instance; `new_chat_budget`: the number is new, and reaches few people a day who never wrote to it; else as `hold.reason` of the campaign. */
        reason: string | null;
        /** Time until which that holds, if it is known. */
        until: string | null;
        /** Time at which the last message leaves, if nothing changes; null if that is not known, or is more than 100 days away. Nodes of former releases leave it out. */
        ends?: string | null;
    } | null;
    /** Placeholders of the texts that recipients lack, and that `allowEmpty` lets pass; the first 100. */
    placeholders: {
        /** Its name. */
        name: string;
        /** `empty`: it has no value. `unknown`: it is not a placeholder, and is sent as it is. */
        problem: "empty" | "unknown";
        /** Number of recipients. */
        recipients: number;
    }[];
    /** Entries that were left out because they are invalid; the first 100. */
    invalid: {
        /** Its place in the list, from 0. */
        index: number;
        /** Reason. */
        why: string;
    }[];
};
export type CreateAdvancedCampaignRequest = {
    /** The messages, in the order in which they are sent. A number may have several. */
    messages: (CampaignContent & {
        /** A recipient: digits with country code, or a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`). */
        "number": string;
        /** Kind of the message. */
        "type": "text" | "image" | "video" | "videoplay" | "document" | "audio" | "myaudio" | "ptt" | "ptv" | "sticker" | "contact" | "location" | "button" | "list" | "poll" | "carousel" | "pix";
    })[];
    /** Minimum time between two messages, in seconds. Default 10. */
    delayMin?: number;
    /** Maximum time between two messages, in seconds. Default 30. Raised to `delayMin` if it is lower. */
    delayMax?: number;
    /** Start: minutes from now (below 1000000000), or Unix milliseconds (from 1000000000000), at most 366 days ahead. A time in the past means now. */
    scheduled_for?: number;
    /** Name of the campaign. Two unfinished campaigns cannot have the same. Default: `info`, or else the time of creation. */
    folder?: string;
    /** A note of your own. */
    info?: string;
    /** Also send messages with a placeholder that has no value, which is then empty, or that is no placeholder, which is then sent as it is. Default false: they are named with the number of recipients, and nothing is created. */
    allowEmpty?: boolean;
    /** Store and send nothing; only answer what the call would do. */
    dryRun?: boolean;
    /** `refuse` (default) refuses the whole request if an entry is invalid; `skip` leaves invalid entries out. */
    onInvalid?: "refuse" | "skip";
    /** Leave out each further entry of a number. Default false: a number gets as many messages as it has entries. */
    dedupe?: boolean;
    /** Pause the campaign when WhatsApp has refused more than this many percent of its last 50 messages, or of its first 20 and more. 100: never. Default 20. */
    errorRateMax?: number;
    /** Its share of the turns while several campaigns of the instance are due at once: one of weight 3 has three turns for each of one of weight 1. Default 1. */
    weight?: number;
    /** Leave out people who received one of the instance's campaigns within this many days. */
    skipRecentDays?: number;
    /** Leave out people who have received this many messages from the instance's campaigns within this many days, this campaign included. They are skipped as `frequency` when their turn comes. */
    frequencyCap?: {
        /** Maximum of messages. */
        messages: number;
        /** Days. */
        days: number;
    };
    /** Maximum of messages in a day. When it is reached, the campaign waits for the next day. Default: none. */
    dailyCap?: number;
    /** IANA name of the time zone whose days count for `dailyCap`. Default: that of `window`, or else UTC. */
    timezone?: string;
    /** Days and hours in which it sends. Without it: at any time. */
    window?: {
        /** Days on which the window opens; left out: every day. */
        days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
        /** Begin, `HH:MM`. Default 00:00. */
        "from"?: string;
        /** End, `HH:MM`, up to 24:00, which is the default. Earlier than `from`: on the next day. */
        to?: string;
        /** IANA name of the time zone, such as `America/Sao_Paulo`; or `recipient` for that of each recipient. */
        timezone: string;
        /** Zone of recipients without one, when `timezone` is `recipient`. */
        fallbackTimezone?: string;
    };
};
export type CreateAdvancedCampaignReply = {
    /** Id of the campaign; empty for a dry run. */
    folder_id: string;
    /** Number of messages. */
    count: number;
    /** `queued`, or `dry_run` if nothing was stored. */
    status: "queued" | "dry_run";
    /** Entries that were left out because the person got a message of a campaign lately (`skipRecentDays`). */
    recent: number;
    /** Entries that were left out because their number stands before them. */
    duplicates: number;
    /** An estimate of how many messages leave on the present UTC day, and why the others wait. Other campaigns of the instance share its pace. Null if it is not known. */
    today: {
        /** Messages that leave today. */
        leaving: number;
        /** Messages that leave later. */
        waiting: number;
        /** Why they wait; null if none does. `scheduled`: the start; `pace`: the pauses, or the rate of the instance; `new_chat_budget`: the number is new, and reaches few people a day who never wrote to it; else as `hold.reason` of the campaign. */
        reason: string | null;
        /** Time until which that holds, if it is known. */
        until: string | null;
        /** Time at which the last message leaves, if nothing changes; null if that is not known, or is more than 100 days away. Nodes of former releases leave it out. */
        ends?: string | null;
    } | null;
    /** Placeholders of the texts that recipients lack, and that `allowEmpty` lets pass; the first 100. */
    placeholders: {
        /** Its name. */
        name: string;
        /** `empty`: it has no value. `unknown`: it is not a placeholder, and is sent as it is. */
        problem: "empty" | "unknown";
        /** Number of recipients. */
        recipients: number;
    }[];
    /** Entries that were left out because they are invalid; the first 100. */
    invalid: {
        /** Its place in the list, from 0. */
        index: number;
        /** Reason. */
        why: string;
    }[];
};
export type ImportCampaignRequest = CampaignContent & {
    /** The list as base64: CSV in UTF-8 (or UTF-16 with a byte order mark), whose first line names the columns, or a JSON object in each line. The column or field `number` is needed, or one that is called so in Portuguese or Spanish, such as `telefone` or `celular`; `name`, `timezone` (IANA name) and all others are optional. Each is a placeholder of the texts by its own name, such as `{{city}}`, without regard to case and accents; that of names is also `{{name}}`, and `{{first_name}}` its first word. */
    recipients: string;
    /** `csv` (default) or `ndjson`. */
    format?: "csv" | "ndjson";
    /** Store and send nothing; only answer what the call would do, with the same errors. */
    dryRun?: boolean;
    /** Kind of the message. */
    "type": "text" | "image" | "video" | "videoplay" | "document" | "audio" | "myaudio" | "ptt" | "ptv" | "sticker" | "contact" | "location" | "button" | "list" | "poll" | "carousel" | "pix";
    /** Minimum time between two messages, in seconds. Default 10. */
    delayMin?: number;
    /** Maximum time between two messages, in seconds. Default 30. Raised to `delayMin` if it is lower. */
    delayMax?: number;
    /** Start: minutes from now (below 1000000000), or Unix milliseconds (from 1000000000000), at most 366 days ahead. A time in the past means now. */
    scheduled_for?: number;
    /** Name of the campaign. Two unfinished campaigns cannot have the same. Default: `info`, or else the time of creation. */
    folder?: string;
    /** A note of your own. */
    info?: string;
    /** Also send messages with a placeholder that has no value, which is then empty, or that is no placeholder, which is then sent as it is. Default false: they are named with the number of recipients, and nothing is created. */
    allowEmpty?: boolean;
    /** `refuse` (default) refuses the whole list if a line is not a recipient; `skip` leaves such lines out. */
    onInvalid?: "refuse" | "skip";
    /** Leave out each further entry of a person. Default true. */
    dedupe?: boolean;
    /** Leave out people who got a message of a campaign within this many days. */
    skipRecentDays?: number;
    /** Texts in place of `text`, of which each recipient gets one, by weight. It is the same one when the send is repeated. */
    variants?: {
        /** The text; placeholders are filled in. */
        text: string;
        /** Its share. Default 1. */
        weight?: number;
    }[];
    /** Pause the campaign when WhatsApp has refused more than this many percent of its last 50 messages, or of its first 20 and more. 100: never. Default 20. */
    errorRateMax?: number;
    /** Its share of the turns while several campaigns of the instance are due at once: one of weight 3 has three turns for each of one of weight 1. Default 1. */
    weight?: number;
    /** Leave out people who have received this many messages from the instance's campaigns within this many days, this campaign included. They are skipped as `frequency` when their turn comes. */
    frequencyCap?: {
        /** Maximum of messages. */
        messages: number;
        /** Days. */
        days: number;
    };
    /** Maximum of messages in a day. When it is reached, the campaign waits for the next day. Default: none. */
    dailyCap?: number;
    /** IANA name of the time zone whose days count for `dailyCap`. Default: that of `window`, or else UTC. */
    timezone?: string;
    /** Days and hours in which it sends. Without it: at any time. */
    window?: {
        /** Days on which the window opens; left out: every day. */
        days?: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
        /** Begin, `HH:MM`. Default 00:00. */
        "from"?: string;
        /** End, `HH:MM`, up to 24:00, which is the default. Earlier than `from`: on the next day. */
        to?: string;
        /** IANA name of the time zone, such as `America/Sao_Paulo`; or `recipient` for that of each recipient. */
        timezone: string;
        /** Zone of recipients without one, when `timezone` is `recipient`. */
        fallbackTimezone?: string;
    };
};
export type ImportCampaignReply = {
    /** Id of the campaign; empty after a dry run. */
    folder_id: string;
    /** Recipients of the campaign. */
    count: number;
    /** `queued`, or `dry_run`. */
    status: "queued" | "dry_run";
    /** Lines of the list that hold something, without the header. */
    lines: number;
    /** Entries that were left out because the person stands before them. */
    duplicates: number;
    /** People who were left out because they are suppressed. */
    optedOut: number;
    /** People who were left out because they got a campaign lately. */
    recent: number;
    /** Lines that were left out because they are not recipients. */
    invalid: number;
    /** The first 20 such lines. */
    errors: {
        /** Its number in the list, from 1. */
        line: number;
        /** Reason. */
        why: string;
    }[];
    /** An estimate of how many messages leave on the present UTC day, and why the others wait. Other campaigns of the instance share its pace. Null if it is not known. */
    today: {
        /** Messages that leave today. */
        leaving: number;
        /** Messages that leave later. */
        waiting: number;
        /** Why they wait; null if none does. `scheduled`: the start; `pace`: the pauses, or the rate of the instance; `new_chat_budget`: the number is new, and reaches few people a day who never wrote to it; else as `hold.reason` of the campaign. */
        reason: string | null;
        /** Time until which that holds, if it is known. */
        until: string | null;
        /** Time at which the last message leaves, if nothing changes; null if that is not known, or is more than 100 days away. Nodes of former releases leave it out. */
        ends?: string | null;
    } | null;
    /** Placeholders of the texts that recipients lack, and that `allowEmpty` lets pass; the first 100. */
    placeholders: {
        /** Its name. */
        name: string;
        /** `empty`: it has no value. `unknown`: it is not a placeholder, and is sent as it is. */
        problem: "empty" | "unknown";
        /** Number of recipients. */
        recipients: number;
    }[];
    /** The text for the first three recipients, filled from the list alone. Placeholders that the chat fills are shown as they are. */
    messages: {
        /** The recipient, as the list has it. */
        "number": string;
        /** Its text. */
        text: string;
    }[];
};
export type CopyCampaignRequest = {
    /** Id of the campaign. */
    folder_id?: string;
    /** The same as `folder_id`. */
    id?: string;
    /** `failed` (default): those whose message failed. `all`: all of them. */
    recipients?: "failed" | "all";
    /** Name of the campaign. Two unfinished campaigns cannot have the same. Default: `info`, or else the time of creation. */
    folder?: string;
    /** Start: minutes from now (below 1000000000), or Unix milliseconds (from 1000000000000), at most 366 days ahead. A time in the past means now. */
    scheduled_for?: number;
};
export type CopyCampaignReply = {
    /** Id of the campaign. */
    folder_id: string;
    /** Number of messages. */
    count: number;
    /** Always `queued`. */
    status: "queued";
    /** Entries that were left out because the person got a message of a campaign lately (`skipRecentDays`). */
    recent: number;
    /** Entries that were left out because their number stands before them. */
    duplicates: number;
    /** An estimate of how many messages leave on the present UTC day, and why the others wait. Other campaigns of the instance share its pace. Null if it is not known. */
    today: {
        /** Messages that leave today. */
        leaving: number;
        /** Messages that leave later. */
        waiting: number;
        /** Why they wait; null if none does. `scheduled`: the start; `pace`: the pauses, or the rate of the instance; `new_chat_budget`: the number is new, and reaches few people a day who never wrote to it; else as `hold.reason` of the campaign. */
        reason: string | null;
        /** Time until which that holds, if it is known. */
        until: string | null;
        /** Time at which the last message leaves, if nothing changes; null if that is not known, or is more than 100 days away. Nodes of former releases leave it out. */
        ends?: string | null;
    } | null;
    /** Placeholders of the texts that recipients lack, and that `allowEmpty` lets pass; the first 100. */
    placeholders: {
        /** Its name. */
        name: string;
        /** `empty`: it has no value. `unknown`: it is not a placeholder, and is sent as it is. */
        problem: "empty" | "unknown";
        /** Number of recipients. */
        recipients: number;
    }[];
    /** Entries that were left out because they are invalid; the first 100. */
    invalid: {
        /** Its place in the list, from 0. */
        index: number;
        /** Reason. */
        why: string;
    }[];
};
export type EditCampaignRequest = {
    /** Id of the campaign. */
    folder_id?: string;
    /** The same as `folder_id`. */
    id?: string;
    /** `stop` pauses it: once it is answered, no further message begins. `continue` resumes it. `delete` removes what was not sent; of a finished campaign, all of it, as `/sender/cleardone` does. `update` changes `dailyCap`, and `timezone` if it is given. */
    action: "stop" | "continue" | "delete" | "update";
    /** With `update`: the maximum of messages in a day; null for none. A campaign that waits for the next day continues if it may. */
    dailyCap?: number | null;
    /** With `update`: IANA name of the time zone whose days count. */
    timezone?: string;
};
export type EditCampaignReply = {
    /** State of the campaign. */
    status: "scheduled" | "sending" | "paused" | "done" | "deleting";
    /** The result in words. */
    message: string;
};
export type CampaignFolder = {
    /** Id of the campaign. */
    id: string;
    /** Name. */
    folder: string;
    /** The caller's note. */
    info: string;
    /** State. `deleting` ends by itself. */
    status: "scheduled" | "sending" | "paused" | "done" | "deleting";
    /** Why it is paused: `asked`, `logged_out`, `banned`, `other_account`, `error_rate`, `file_gone`; empty otherwise. */
    reason: string;
    /** Why it cannot send now although it is not paused; it continues on its own. Null otherwise. */
    hold: {
        /** `window`; `daily_cap`; `node_busy`: its messages leave late, because the campaigns of the node want more than it can do; `rate_limit`: WhatsApp has refused too many messages; `reachout_timelock`, `new_chat_message_capping`, `new_chat_refusals`, `new_chat_budget`: only people who never wrote wait; `refused`, `chat_busy`, `behind`: only such recipients are left. */
        reason: string;
        /** End, if it is known. */
        until: string | null;
    } | null;
    /** Days and hours in which it sends. Null: at any time. */
    window: {
        /** Days on which the window opens. */
        days: ("sun" | "mon" | "tue" | "wed" | "thu" | "fri" | "sat")[];
        /** Begin, `HH:MM`. */
        "from": string;
        /** End, `HH:MM`. Earlier than `from`: on the next day. */
        to: string;
        /** IANA name of the time zone, such as `America/Sao_Paulo`; or `recipient` for that of each recipient. */
        timezone: string;
        /** Zone of recipients without one, when `timezone` is `recipient`. */
        fallbackTimezone?: string;
    } | null;
    /** Refused messages among the last 50, in percent, above which it is paused. 100: never. */
    errorRateMax: number;
    /** Its share of the turns while several campaigns of the instance are due at once. */
    weight: number;
    /** People who have received this many campaign messages within this many days are left out. Null: nobody. */
    frequencyCap: {
        /** Maximum of messages. */
        messages: number;
        /** Days. */
        days: number;
    } | null;
    /** Maximum of messages in a day. Null: none. */
    dailyCap: number | null;
    /** IANA name of the time zone whose days count for `dailyCap`. */
    timezone: string;
    /** Messages that were begun today, in that zone. */
    sentToday: number;
    /** Id of the campaign that it repeats; empty if there is none. */
    source: string;
    /** Start, Unix milliseconds. */
    scheduled_for: number;
    /** The next message leaves then at the earliest, Unix milliseconds. */
    next_at: number | null;
    /** Minimum time between two messages, in milliseconds. */
    delayMin: number;
    /** Maximum time between two messages, in milliseconds. */
    delayMax: number;
    /** Messages, without those that were deleted before they were sent. */
    log_total: number;
    /** Sent. The published interface spells it so. */
    log_sucess: number;
    /** Delivered; those that were read count too. */
    log_delivered: number;
    /** Read. */
    log_read: number;
    /** Played. */
    log_played: number;
    /** People who wrote within seven days after their message. */
    log_replied: number;
    /** Failed. */
    log_failed: number;
    /** Left out. */
    log_skipped: number;
    /** Put off for a while. */
    log_parked: number;
    /** Not decided yet. */
    log_pending: number;
    /** Handed to WhatsApp, without its answer yet. */
    log_taken: number;
    /** Number of the instance. */
    owner: string;
    /** Creation, `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    created: string;
    /** Last change of its state, `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    updated: string;
    /** First message, `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    started: string;
    /** End, `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    ended: string;
};
export type ListCampaignsReply = CampaignFolder[];
export type ShowCampaignReply = CampaignFolder;
export type CampaignCourseReply = {
    /** Minutes of a row. */
    stepMinutes: number;
    /** The oldest first; times in which nothing happened have none. Of a long campaign the newest 200. */
    rows: {
        /** Its beginning, UTC. */
        at: string;
        /** Messages that were sent. */
        sent: number;
        /** People who wrote after their message. */
        replied: number;
        /** Messages that failed. */
        failed: number;
        /** People who were left out. */
        skipped: number;
    }[];
    /** Recipients that failed, were left out or are put off, by reason, the most frequent first. */
    reasons: {
        /** What became of them. */
        state: "parked" | "failed" | "skipped";
        /** As `reason` of the recipients; empty if WhatsApp refused the message. */
        reason: string;
        /** How many. */
        count: number;
    }[];
    /** Time at which the last message leaves, if nothing changes, by the pauses, the hours, the daily maximum and the budget of new chats. Null if it is done or paused, if that is not known, or is more than 100 days away. */
    ends: string | null;
};
export type ListCampaignMessagesRequest = {
    /** Id of the campaign. */
    folder_id?: string;
    /** The same as `folder_id`. */
    id?: string;
    /** Only these. `Skipped`: those that were left out. `Replied`: those who wrote after their message. */
    messageStatus?: "Scheduled" | "Sent" | "Failed" | "Skipped" | "Replied";
    /** Page, from 1. */
    page?: number;
    /** Messages on a page. Default 100. */
    pageSize?: number;
    /** In place of `pageSize`. */
    limit?: number;
    /** In place of `page`: messages to skip, at most 20000 with `messageStatus`. Use `after` to go further. */
    offset?: number;
    /** `next` of the page before. Takes the same time however far it is. */
    after?: number;
};
export type CampaignRecipient = {
    /** Id of the entry. */
    id: string;
    /** Its place in the campaign, from 0. */
    ordinal: number;
    /** Id of the campaign. */
    send_folder_id: string;
    /** JID of the recipient. */
    chatid: string;
    /** Id of the message; empty before it is sent. */
    messageid: string;
    /** `waiting`, `parked`, `pending`, `sent`, `delivered`, `read`, `played`, `replied`, `opted_out` (after the message), `failed` or `skipped`. */
    status: string;
    /** The same, more broadly. */
    messageStatus: "Scheduled" | "Sent" | "Failed" | "Skipped";
    /** Messages that were made for it. */
    attempts: number;
    /** Number of its text among the variants, from 0. */
    variant?: number;
    /** Why it failed: `not_on_network`, `invalid`, `refused` or `internal`; or why it was left out: `opted_out` (also after its message) or `frequency`; or why it is parked: `window`, `refused`, `chat_busy`, `behind`, `number_checks`, `daily_cap`, `rate_limit`, `reachout_timelock`, `new_chat_message_capping`, `new_chat_refusals` or `new_chat_budget`. */
    reason?: string;
    /** The same as a sentence. */
    error?: string;
    /** WhatsApp's code. */
    provider_code?: number;
    /** The caller's id. */
    track_id: string;
    /** The person wrote then, `YYYY-MM-DD HH:MM:SS.FFF`, UTC; empty if they did not. */
    replied_at: string;
    /** Number of the instance. */
    owner: string;
    /** Last change, `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    updated: string;
};
export type ListCampaignMessagesReply = {
    /** The messages. */
    messages: CampaignRecipient[];
    /** The page. */
    pagination: {
        /** Messages that fit, by the counters. */
        total: number;
        /** The same. */
        totalRecords: number;
        /** Page, from 1. */
        page: number;
        /** Messages on a page. */
        pageSize: number;
        /** Last page. */
        lastPage: number;
        /** Messages on a page. */
        limit: number;
        /** Messages before the page. */
        offset: number;
    };
    /** `after` of the next page; null at the end. */
    next: number | null;
};
export type ClearDoneCampaignsRequest = {
    /** Only campaigns that ended this many hours ago, or more. Default 168. */
    hours?: number;
};
export type ClearDoneCampaignsReply = {
    /** Always `cleanup started`. */
    status: "cleanup started";
    /** Number of campaigns. */
    folders_deleted: number;
    /** Number of their recipients. */
    messages_deleted: number;
};
export type ClearAllCampaignsReply = {
    /** Always `processed`. */
    status: "processed";
    /** The result in words. */
    info: string;
    /** Number of campaigns. */
    folders_deleted: number;
    /** Number of their recipients. */
    messages_deleted: number;
};
export type FindMessagesRequest = {
    /** `owner:messageid`, the bare id, or the internal id. The sender chooses the id of a message. If several messages have the same id, the oldest comes first, and `/message/download` takes that one. */
    id?: string;
    /** The chat, as a JID or number. */
    chatid?: string;
    /** As given when it was sent. */
    track_source?: string;
    /** As given when it was sent. */
    track_id?: string;
    /** The status, in any case: queued, pending, sent, delivered, read, played, failed, canceled, deleted. */
    status?: string;
    /** Maximum number. A page also ends before its texts and contents exceed 2 MiB; `hasMore` is true then. */
    limit?: number;
    /** How many to pass over. Messages that arrive meanwhile move the others: `before` and `after` do not slip. */
    offset?: number;
    /** Only messages whose text contains this, in any case. One call looks at the next 20,000 messages that the other filters leave: while `hasMore` is true, ask on with `older` or `newer`, even after an empty page. */
    text?: string;
    /** true: only messages that are pinned now. It looks through messages as `text` does. */
    pinned?: boolean;
    /** The `older` of a page: messages before it, the newest of them. */
    before?: string;
    /** The `newer` of a page: messages after it, the oldest of them. They too are answered newest first. */
    after?: string;
    /** Id of a message, in any form of `id`: the message, as many newer ones and as many older ones, `limit` in all. Takes the filters into account. */
    around?: string;
};
export type FindMessagesReply = {
    /** How many are in this page. */
    returnedMessages: number;
    /** The messages. */
    messages: Message[];
    /** As asked. */
    limit: number;
    /** As asked. */
    offset: number;
    /** The offset of the next page. */
    nextOffset: number;
    /** Whether there is a next page: of newer messages after `after`, else of older ones. */
    hasMore: boolean;
    /** `before` of the older page; null when there are none, or with `id`. */
    older: string | null;
    /** `after` of the newer page, those that arrive later included; null for an empty first page, or with `id`. */
    newer: string | null;
    /** Only after the database went back in time (a failover without its last commits, a restored backup), on pages that are not newer than the span that was lost, and if `id` was not found: webhooks and streams may have reported messages of that span that are not here. */
    mayLack?: {
        /** Begin of the span; null if it is not known. */
        "from": string | null;
        /** End of the span. */
        until: string | null;
        /** Number of the present era, which grows each time the database goes back. */
        era: number;
    };
};
export type MarkReadRequest = {
    /** The ids, as `owner:messageid`, bare, or the internal ones. */
    id: string[];
};
export type MarkReadReply = {
    /** One for each id. */
    results: {
        /** The id as given. */
        message_id: string;
        /** Whether it was marked. */
        status: "success" | "failed";
        /** Why not. */
        error?: string;
    }[];
};
export type ReactRequest = SendOptions & {
    /** The chat, as a JID, number or username (`@name`). */
    "number": string;
    /** One emoji; an empty text takes the reaction back. */
    text: string;
    /** The message, at most 7 days old: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
};
export type ReducedMessage = {
    /** `owner:messageid`. */
    id: string;
    /** The id of this operation at WhatsApp, as of a message. */
    messageid: string;
    /** The full content. */
    content: {
        [key: string]: unknown;
    };
    /** When, in milliseconds since 1970. */
    messageTimestamp: number;
    /** Kind of the message. */
    messageType: string;
    /** Status at the time of the answer; `Queued` with `async`. */
    status: "Scheduled" | "Pending" | "Queued";
    /** The number of the account, in digits. */
    owner: string;
    /** Of a scheduled message: when it leaves. */
    schedule?: Schedule;
};
export type ReactReply = ReducedMessage & {
    /** Always true. */
    success: true;
    /** A sentence. */
    message: string;
    /** The reaction. */
    reaction: {
        /** Its own id at WhatsApp. */
        id: string;
        /** The emoji; null when it was taken back. */
        emoji: string | null;
        /** When, in milliseconds since 1970. */
        timestamp: number;
        /** Result. */
        status: "sent" | "removed";
    };
    /** Fields that were ignored or left out. */
    warnings?: string[];
};
export type EditMessageRequest = {
    /** The message: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
    /** The new text or caption; placeholders such as `{{name}}` are filled in. */
    text: string;
    /** false: `{{name}}` and the like are sent as they are. Default: true. */
    placeholders?: boolean;
};
export type EditMessageReply = ReducedMessage & {
    /** The id of the message that was changed. */
    edited: string;
};
export type DeleteMessageRequest = {
    /** The message: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
};
export type DeleteMessageReply = {
    /** When, in milliseconds since 1970. */
    timestamp: number;
    /** The id of the message. */
    id: string;
};
export type PinMessageRequest = {
    /** The message, of whoever: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
    /** false: unpinned. Default: true. */
    pin?: boolean;
    /** For how many days: 1, 7 or 30; 7 if it is not given. It is not used to unpin. */
    duration?: 1 | 7 | 30;
};
export type PinMessageReply = ReducedMessage & {
    /** The id of the message that is pinned or unpinned. */
    targetMessageID: string;
    /** Whether it is pinned now. */
    pinned: boolean;
    /** Until when, in milliseconds since 1970; 0 when it is unpinned. */
    pinnedUntil: number;
};
export type StarMessageRequest = {
    /** The message, of whoever: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
    /** false: the star is taken away. Default: true. */
    star?: boolean;
};
export type StarMessageReply = {
    /** Result. */
    response: string;
    /** The id of the message. */
    id: string;
    /** Whether it is starred now. */
    starred: boolean;
};
export type KeepMessageRequest = {
    /** The message, of whoever: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
    /** false: it disappears in its time. Default: true. */
    keep?: boolean;
};
export type KeepMessageReply = {
    /** Result. */
    response: string;
    /** The id of the message. */
    id: string;
    /** Whether it is kept now. */
    kept: boolean;
};
export type VotePollRequest = {
    /** The message of the poll: `owner:messageid`, the bare id, or the internal id. Without it the error is `Missing Id in Payload`. */
    id?: string;
    /** Texts of the options, as the poll has them, no more than it lets people choose. Empty: the vote is taken back. */
    options: string[];
};
export type VotePollReply = ReducedMessage & {
    /** The chosen options, joined by `, `; empty when the vote was taken back. */
    vote: string;
};
export type DownloadRequest = {
    /** `owner:messageid`, the bare id, or the internal id. */
    id: string;
    /** Give the file in the answer, as base64. */
    return_base64?: boolean;
    /** Give a link to the file; it lasts as long as MEDIA_RETENTION_HOURS says. */
    return_link?: boolean;
    /** Return audio as MP3, where this server has ffmpeg; true unless given. Audio that cannot be converted is returned as it was sent, and `warnings` says so. */
    generate_mp3?: boolean;
    /** Also return the text of the audio, made by OpenAI with the key of the call or of the instance. At most 25 MB and 10 minutes. The text is kept with the message, so that the provider is asked once. */
    transcribe?: boolean;
    /** OpenAI key for `transcribe`, for this call only. Default: the key of the instance (`/instance/updatechatbotsettings`). */
    openai_apikey?: string;
    /** For a message with cards: number of the card, starting at 1. Default: the first card with a file; `warnings` lists the others. */
    card?: number;
    /** The file of the message that this one answers. */
    download_quoted?: boolean;
};
export type DownloadReply = {
    /** The link. */
    fileURL?: string;
    /** Kind of the file. */
    mimetype: string;
    /** The file. */
    base64Data?: string;
    /** The text of the audio, if it was wanted. */
    transcription?: string;
};
export type HistorySyncRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** `history`: messages before another one; `exact`: one message, whose content the gateway lacks. Default: `history`. */
    mode?: "history" | "exact";
    /** `history`: the message before which is asked, by default the oldest stored one of the chat. `exact`: the message, which must be given. `owner:messageid`, the bare id, or the internal id. */
    messageid?: string;
    /** How many messages are asked for; 50 if it is not given. Phones send at most 50. */
    count?: number;
};
export type HistorySyncReply = {
    /** Always true: the phone was asked. */
    success: boolean;
    /** As asked. */
    mode: "history" | "exact";
    /** A sentence about the answer. */
    message: string;
    /** The request, and the answer as far as it came. */
    details: {
        /** Id of the request; `requestId` of the event `history`. */
        requestId: string;
        /** The chat, as its JID. */
        chat: string;
        /** The message before which was asked, or that was asked for. */
        messageid: string;
        /** How many messages were asked for. */
        count: number;
        /** `answered`, or `waiting`: the phone has not answered yet, and may be off. */
        state: "answered" | "waiting";
        /** Of an answer: how many messages came. */
        messages?: number;
        /** Of an answer: true when the phone has nothing older of the chat. */
        isComplete?: boolean;
    };
};
export type QueueStatusReply = {
    /** A sentence. */
    response: string;
    /** The instance. */
    instanceId: string;
    /** The queue. */
    queue: {
        /** Description for the agent. */
        status: "idle" | "queued" | "processing" | "waiting_connection" | "resetting";
        /** How many messages have the status `queued`. */
        pending: number;
        /** Whether one of them is being sent. */
        processingNow: boolean;
        /** Whether a send with `async` is taken. */
        acceptingNewMessages: boolean;
        /** Whether the instance is connected. */
        sessionReady: boolean;
        /** Whether it is being emptied. */
        resetting: boolean;
    };
};
export type QueueClearReply = {
    /** A sentence. */
    response: string;
    /** The instance. */
    instanceId: string;
    /** Result. */
    stats: {
        /** How many messages have the status `canceled` by this. */
        canceled: number;
    };
};
export type ScheduledReply = {
    /** The messages, with their `schedule`. */
    messages: Message[];
    /** True if another page follows. */
    hasMore: boolean;
    /** Where the next page begins. Absent on the last page. */
    nextCursor?: string;
};
export type CancelScheduledReply = {
    /** A sentence. */
    response: string;
    /** Number of messages that this call canceled. */
    canceled: number;
    /** The message, if the call names one. */
    messageid?: string;
};
export type EditScheduledRequest = {
    /** The message: `owner:messageid`, the bare id, or the internal id. */
    id: string;
    /** The `revision` that you have seen. With another one the answer is 409, and nothing changes. */
    revision: number;
    /** The new time, as in a send. A time that has passed is now. */
    send_at?: string | number;
    /** IANA name of the time zone of a `send_at` without an offset, such as `America/Sao_Paulo`. A local time that the clocks skip moves forward; of one that comes twice the first counts. */
    timezone?: string;
    /** Of a scheduled message: milliseconds after `send_at` from which it must no longer leave; it then fails as expired. Default: the setting `SEND_MAX_AGE_MS`. */
    expire_after?: number;
    /** The new text, caption, or text of the menu; placeholders such as `{{name}}` are filled in when it leaves. */
    text?: string;
    /** The new id of your own. */
    track_id?: string;
};
export type EditScheduledReply = SentMessage;
export type PresenceRequest = {
    /** To whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`, `@g.us`, `@newsletter`), or a username (`@name`, with its key `@name:1234`). */
    "number": string;
    /** Presence to show. `paused` ends it. */
    presence: "composing" | "recording" | "paused";
    /** For how many milliseconds; without it, or above 300000, it is 300000. */
    delay?: number;
};
export type PresenceReply = {
    /** A sentence. */
    response: string;
};
export type StatusViewsRequest = {
    /** The post, as `owner:messageid`, the bare id, or the internal id. */
    id: string;
    /** Maximum of people in the answer; 100 when missing. */
    limit?: number;
    /** How many are passed over. */
    offset?: number;
};
export type StatusViewsReply = {
    /** Id of the post on WhatsApp. */
    messageid: string;
    /** Who may see it. */
    audience: "contacts" | "allowlist" | "denylist";
    /** Number of people whom it is for. */
    recipients: number;
    /** For how many of them WhatsApp has taken it while more are to follow; the last part does not count here, the `status` of the message says when it is out. */
    reached: number;
    /** Number of people who have received it. */
    delivered: number;
    /** Number of people who have seen it. People who switched read receipts off are missing. */
    seen: number;
    /** The people of this page. */
    viewers: {
        /** JID of the number where it is known, else the LID. */
        jid: string;
        /** The LID; empty when it is not known. */
        lid: string;
        /** The number; empty when it is not known. */
        phone: string;
        /** Name in the address book, or of the profile; may be empty. */
        name: string;
        /** When it was received, ISO 8601. */
        delivered: string;
        /** When it was seen, ISO 8601; empty when it was not, as far as is known. */
        seen: string;
    }[];
    /** More people follow this page. */
    hasMore: boolean;
};
export type MessageInfoRequest = {
    /** The message, as `owner:messageid`, the bare id, or the internal id. */
    id: string;
    /** Maximum of people in the answer; 100 when missing. */
    limit?: number;
    /** How many are passed over. */
    offset?: number;
};
export type MessageInfoReply = {
    /** Id of the message on the network. */
    messageid: string;
    /** JID of the chat. */
    chatid: string;
    /** Status of the message: `delivered`, `read` and `played` mean all members. */
    status: string;
    /** Number of members apart from the account when the first receipt came; 0 while it is not known. */
    members: number;
    /** How many have received it. */
    delivered: number;
    /** How many have read it. Nobody is told of those who switched read receipts off. */
    read: number;
    /** How many have played it. */
    played: number;
    /** The people of this page. */
    people: {
        /** JID of the number where it is known, else the LID. */
        jid: string;
        /** The LID; empty when it is not known. */
        lid: string;
        /** The number; empty when it is not known. */
        phone: string;
        /** Name in the address book, or of the profile; may be empty. */
        name: string;
        /** When it was received, ISO 8601. */
        delivered: string;
        /** When it was read, ISO 8601; empty when it was not, as far as is known. */
        read: string;
        /** When it was played; likewise. */
        played: string;
    }[];
    /** More people follow this page. */
    hasMore: boolean;
};
export type MessageVotesReply = {
    /** Id of the message on the network. */
    messageid: string;
    /** JID of the chat. */
    chatid: string;
    /** The question. */
    poll: string;
    /** Number of people who have voted for something. */
    voters: number;
    /** The options in their order. */
    options: {
        /** Its text. */
        option: string;
        /** How many have chosen it. */
        votes: number;
        /** JIDs of those who have; the first 2,048. */
        voters: string[];
    }[];
};
export type MessageReactionsReply = {
    /** Id of the message on the network. */
    messageid: string;
    /** JID of the chat. */
    chatid: string;
    /** The reactions; the newest 2,048. */
    reactions: {
        /** The emoji. */
        emoji: string;
        /** It is the account's own. */
        fromMe: boolean;
        /** JID of the number where it is known, else the LID. */
        jid: string;
        /** The LID; empty when it is not known. */
        lid: string;
        /** The number; empty when it is not known. */
        phone: string;
        /** Name in the address book, or of the profile; may be empty. */
        name: string;
        /** Id of the reaction on the network. */
        messageid: string;
        /** When it was sent, in milliseconds since 1970. */
        timestamp: number;
    }[];
    /** How often each emoji was chosen, the most frequent first. */
    counts: {
        /** The emoji. */
        emoji: string;
        /** How many people have chosen it. */
        count: number;
    }[];
};
export type MakeCallRequest = {
    /** Whom: digits with country code, a JID (`@s.whatsapp.net`, `@lid`), or a username (`@name`, with its key `@name:1234`). No group. */
    "number": string;
    /** For how many seconds it rings at most; 30 if it is not given. Phones end the ringing after about a minute. */
    call_duration?: number;
    /** The phone shows a video call. Default: false. */
    video?: boolean;
};
export type MakeCallReply = {
    /** A sentence. */
    response: string;
    /** The call, as `event.CallID` of its events; `/call/reject` ends it. */
    id: string;
    /** For how many seconds it rings at most. */
    call_duration: number;
};
export type CreateCallLinkRequest = {
    /** A video call. Default: false, a voice call. */
    video?: boolean;
    /** When the call is to begin: milliseconds since 1970, or RFC 3339 with an offset. Without it the link can be used at any time. */
    startTime?: string | number;
};
export type CreateCallLinkReply = {
    /** Its URL, which can be sent to anybody. */
    link: string;
};
export type RejectCallRequest = {
    /** Who rings: digits with country code, or a JID (`@s.whatsapp.net`, `@lid`); of a call to a group also the group. */
    "number"?: string;
    /** The call, as `event.CallID` of the event `call` says, or as the answer of `/call/make`. Required. */
    id?: string;
};
export type RejectCallReply = {
    /** A sentence. */
    response: string;
    /** The call that was refused. */
    id?: string;
};
export type EditLeadRequest = {
    /** The chat, by `wa_chatid` or by `wa_fastid` (`<owner>:<number>`). */
    id: string;
    /** Name of the lead. */
    lead_name?: string;
    /** Full name of the lead. */
    lead_fullName?: string;
    /** Mail address of the lead. */
    lead_email?: string;
    /** Personal id of the lead. */
    lead_personalid?: string;
    /** Status of the lead. */
    lead_status?: string;
    /** All tags of the lead; an empty list takes them away. Records tell them as one text, joined by commas. */
    lead_tags?: string[];
    /** Notes about the lead. */
    lead_notes?: string;
    /** Whether a ticket is open. */
    lead_isTicketOpen?: boolean;
    /** Attendant of the chat. */
    lead_assignedAttendant_id?: string;
    /** Its place on the board. */
    lead_kanbanOrder?: number;
    /** Until when agents keep out of this chat, in milliseconds since 1970. A number below 100000000000 counts as seconds. 0 lets them in. */
    chatbot_disableUntil?: number;
    /** Agents see only messages of this chat from then on, in milliseconds since 1970. A number below 100000000000 counts as seconds. 0: they see older ones too. */
    chatbot_agentResetMemoryAt?: number;
    /** Custom lead field 1. */
    lead_field01?: string;
    /** Custom lead field 2. */
    lead_field02?: string;
    /** Custom lead field 3. */
    lead_field03?: string;
    /** Custom lead field 4. */
    lead_field04?: string;
    /** Custom lead field 5. */
    lead_field05?: string;
    /** Custom lead field 6. */
    lead_field06?: string;
    /** Custom lead field 7. */
    lead_field07?: string;
    /** Custom lead field 8. */
    lead_field08?: string;
    /** Custom lead field 9. */
    lead_field09?: string;
    /** Custom lead field 10. */
    lead_field10?: string;
    /** Custom lead field 11. */
    lead_field11?: string;
    /** Custom lead field 12. */
    lead_field12?: string;
    /** Custom lead field 13. */
    lead_field13?: string;
    /** Custom lead field 14. */
    lead_field14?: string;
    /** Custom lead field 15. */
    lead_field15?: string;
    /** Custom lead field 16. */
    lead_field16?: string;
    /** Custom lead field 17. */
    lead_field17?: string;
    /** Custom lead field 18. */
    lead_field18?: string;
    /** Custom lead field 19. */
    lead_field19?: string;
    /** Custom lead field 20. */
    lead_field20?: string;
};
export type Chat = {
    /** The internal id of the chat. */
    id: string;
    /** `<owner>:<number>`, a short name of the chat. */
    wa_fastid?: string;
    /** The chat: the JID of the number when it is known, else the LID, or the group id. */
    wa_chatid: string;
    /** The LID of the chat, when it is known. */
    wa_chatlid?: string;
    /** The name to show. */
    name?: string;
    /** Where its picture is. */
    image?: string;
    /** Where its small picture is. */
    imagePreview?: string;
    /** The number, written for people. */
    phone?: string;
    /** The number of the account, in digits. */
    owner: string;
    /** Whether it is archived. */
    wa_archived?: boolean;
    /** The name as saved as a contact. */
    wa_contactName?: string;
    /** The profile name. */
    wa_name?: string;
    /** Their username, without `@`; empty when none is known. */
    wa_username?: string;
    /** After how many seconds its messages disappear; 0 is never. */
    wa_ephemeralExpiration?: number;
    /** Whether it is blocked. */
    wa_isBlocked?: boolean;
    /** Whether it is a group. */
    wa_isGroup?: boolean;
    /** Whether the account is an admin of the group. */
    wa_isGroup_admin?: boolean;
    /** Whether only admins may send. */
    wa_isGroup_announce?: boolean;
    /** Whether it is a community. */
    wa_isGroup_community?: boolean;
    /** Whether the account is a member. */
    wa_isGroup_member?: boolean;
    /** Whether it is pinned. */
    wa_isPinned?: boolean;
    /** Its labels, as a list. */
    wa_label?: string | string[];
    /** The text or vote of the last message. */
    wa_lastMessageTextVote?: string;
    /** The kind of the last message. */
    wa_lastMessageType?: string;
    /** When the last message was written, in milliseconds since 1970. */
    wa_lastMsgTimestamp?: number;
    /** Sender of the last message. */
    wa_lastMessageSender?: string;
    /** Until when it is muted, in milliseconds since 1970; 0 is not, -1 is for good. */
    wa_muteEndTime?: number;
    /** The note of the chat, which only the account sees, on all its devices. */
    wa_notes?: string;
    /** How many messages are unread; -1 is marked as unread. */
    wa_unreadCount?: number;
    /** Groups in common: `<group_name>(<group_id>)`, separated by commas. */
    wa_common_groups?: string;
    /** The newer name of `wa_common_groups`. */
    common_groups?: string;
    /** Name of the lead. */
    lead_name?: string;
    /** Full name of the lead. */
    lead_fullName?: string;
    /** Mail address of the lead. */
    lead_email?: string;
    /** Personal id of the lead. */
    lead_personalid?: string;
    /** Status of the lead. */
    lead_status?: string;
    /** Tags of the lead. */
    lead_tags?: string | string[];
    /** Notes about the lead. */
    lead_notes?: string;
    /** Whether a ticket is open. */
    lead_isTicketOpen?: boolean;
    /** Attendant of the chat. */
    lead_assignedAttendant_id?: string;
    /** Its place on the board. */
    lead_kanbanOrder?: number;
    /** How the person came from their first ad, in WhatsApp's words, such as `ctwa_ad`. */
    lead_adSource?: string;
    /** Id of the first ad. */
    lead_adSourceId?: string;
    /** URL of the first ad. */
    lead_adSourceUrl?: string;
    /** App in which the person saw the first ad. */
    lead_adSourceApp?: string;
    /** Title of the first ad. */
    lead_adTitle?: string;
    /** Id of the click on the first ad (`ctwaClid`). */
    lead_adClickId?: string;
    /** Text that the advertiser has put into the link of the first ad. */
    lead_adRef?: string;
    /** When the person wrote from their first ad, in milliseconds since 1970; 0: no ad is known. */
    lead_adAt?: number;
    /** Custom lead field 1. */
    lead_field01?: string;
    /** Custom lead field 2. */
    lead_field02?: string;
    /** Custom lead field 3. */
    lead_field03?: string;
    /** Custom lead field 4. */
    lead_field04?: string;
    /** Custom lead field 5. */
    lead_field05?: string;
    /** Custom lead field 6. */
    lead_field06?: string;
    /** Custom lead field 7. */
    lead_field07?: string;
    /** Custom lead field 8. */
    lead_field08?: string;
    /** Custom lead field 9. */
    lead_field09?: string;
    /** Custom lead field 10. */
    lead_field10?: string;
    /** Custom lead field 11. */
    lead_field11?: string;
    /** Custom lead field 12. */
    lead_field12?: string;
    /** Custom lead field 13. */
    lead_field13?: string;
    /** Custom lead field 14. */
    lead_field14?: string;
    /** Custom lead field 15. */
    lead_field15?: string;
    /** Custom lead field 16. */
    lead_field16?: string;
    /** Custom lead field 17. */
    lead_field17?: string;
    /** Custom lead field 18. */
    lead_field18?: string;
    /** Custom lead field 19. */
    lead_field19?: string;
    /** Custom lead field 20. */
    lead_field20?: string;
    /** Since when the agent remembers, in milliseconds since 1970. */
    chatbot_agentResetMemoryAt?: number;
    /** The trigger that fired last. */
    chatbot_lastTrigger_id?: string;
    /** When it fired, in milliseconds since 1970. */
    chatbot_lastTriggerAt?: number;
    /** Until when the chatbot is quiet, in milliseconds since 1970. */
    chatbot_disableUntil?: number;
    /** When it was stored, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. */
    created?: string;
    /** When it last changed, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. */
    updated?: string;
};
export type EditLeadReply = Chat;
export type FindChatsRequest = {
    /** How the filters are joined. */
    operator?: "AND" | "OR";
    /** `+` or `-` and a field of the chat. */
    sort?: string;
    /** Maximum number. */
    limit?: number;
    /** How many to pass over. */
    offset?: number;
    /** The page, from 1; instead of `offset`. */
    page?: number;
    /** As `limit`. */
    pageSize?: number;
    /** Searches only this many chats, those with the newest messages, and `totalRecords` counts only these. A search for one letter, or for two in fields that are no names, reads every chat that it may find, so this bounds it. */
    newest?: number;
    /** The internal id of the chat. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    id?: string | number;
    /** `<owner>:<number>`, a short name of the chat. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_fastid?: string | number;
    /** The chat: the JID of the number when it is known, else the LID, or the group id. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_chatid?: string | number;
    /** The LID of the chat, when it is known. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_chatlid?: string | number;
    /** The name to show. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    name?: string | number;
    /** Where its picture is. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    image?: string | number;
    /** Where its small picture is. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    imagePreview?: string | number;
    /** The number, written for people. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    phone?: string | number;
    /** The number of the account, in digits. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    owner?: string | number;
    /** Whether it is archived. true or false; `!=` and other operators before it are taken. */
    wa_archived?: boolean | string | number;
    /** The name as saved as a contact. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_contactName?: string | number;
    /** The profile name. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_name?: string | number;
    /** The username, without `@`. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_username?: string | number;
    /** After how many seconds its messages disappear; 0 is never. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_ephemeralExpiration?: number | string;
    /** Whether it is blocked. true or false; `!=` and other operators before it are taken. */
    wa_isBlocked?: boolean | string | number;
    /** Whether it is a group. true or false; `!=` and other operators before it are taken. */
    wa_isGroup?: boolean | string | number;
    /** Whether the account is an admin of the group. true or false; `!=` and other operators before it are taken. */
    wa_isGroup_admin?: boolean | string | number;
    /** Whether only admins may send. true or false; `!=` and other operators before it are taken. */
    wa_isGroup_announce?: boolean | string | number;
    /** Whether it is a community. true or false; `!=` and other operators before it are taken. */
    wa_isGroup_community?: boolean | string | number;
    /** Whether the account is a member. true or false; `!=` and other operators before it are taken. */
    wa_isGroup_member?: boolean | string | number;
    /** Whether it is pinned. true or false; `!=` and other operators before it are taken. */
    wa_isPinned?: boolean | string | number;
    /** Its labels, as a list. Has it as an element, or all elements of a list; or `~`, `!~`, `!=` before it. `[]`: is empty. */
    wa_label?: string | string[] | number;
    /** The text or vote of the last message. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_lastMessageTextVote?: string | number;
    /** The kind of the last message. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_lastMessageType?: string | number;
    /** When the last message was written, in milliseconds since 1970. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_lastMsgTimestamp?: number | string;
    /** Sender of the last message. Contains the value, without regard to case; or with `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_lastMessageSender?: string | number;
    /** The note of the chat. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_notes?: string | number;
    /** Until when it is muted, in milliseconds since 1970; 0 is not, -1 is for good. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_muteEndTime?: number | string;
    /** How many messages are unread; -1 is marked as unread. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_unreadCount?: number | string;
    /** Groups in common: `<group_name>(<group_id>)`, separated by commas. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    wa_common_groups?: string | number;
    /** Name of the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_name?: string | number;
    /** Full name of the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_fullName?: string | number;
    /** Mail address of the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_email?: string | number;
    /** Personal id of the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_personalid?: string | number;
    /** Status of the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_status?: string | number;
    /** Tags of the lead. Has it as an element, or all elements of a list; or `~`, `!~`, `!=` before it. `[]`: is empty. */
    lead_tags?: string | string[] | number;
    /** Notes about the lead. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_notes?: string | number;
    /** Whether a ticket is open. true or false; `!=` and other operators before it are taken. */
    lead_isTicketOpen?: boolean | string | number;
    /** Attendant of the chat. Contains the value, without regard to case; or with `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_assignedAttendant_id?: string | number;
    /** Its place on the board. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_kanbanOrder?: number | string;
    /** How the person came from their first ad, in WhatsApp's words, such as `ctwa_ad`. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adSource?: string | number;
    /** Id of the first ad. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adSourceId?: string | number;
    /** URL of the first ad. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adSourceUrl?: string | number;
    /** App in which the person saw the first ad. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adSourceApp?: string | number;
    /** Title of the first ad. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adTitle?: string | number;
    /** Id of the click on the first ad (`ctwaClid`). Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adClickId?: string | number;
    /** Text that the advertiser has put into the link of the first ad. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adRef?: string | number;
    /** When the person wrote from their first ad, in milliseconds since 1970; 0: no ad is known. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_adAt?: number | string;
    /** Custom lead field 1. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field01?: string | number;
    /** Custom lead field 2. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field02?: string | number;
    /** Custom lead field 3. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field03?: string | number;
    /** Custom lead field 4. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field04?: string | number;
    /** Custom lead field 5. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field05?: string | number;
    /** Custom lead field 6. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field06?: string | number;
    /** Custom lead field 7. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field07?: string | number;
    /** Custom lead field 8. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field08?: string | number;
    /** Custom lead field 9. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field09?: string | number;
    /** Custom lead field 10. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field10?: string | number;
    /** Custom lead field 11. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field11?: string | number;
    /** Custom lead field 12. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field12?: string | number;
    /** Custom lead field 13. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field13?: string | number;
    /** Custom lead field 14. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field14?: string | number;
    /** Custom lead field 15. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field15?: string | number;
    /** Custom lead field 16. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field16?: string | number;
    /** Custom lead field 17. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field17?: string | number;
    /** Custom lead field 18. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field18?: string | number;
    /** Custom lead field 19. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field19?: string | number;
    /** Custom lead field 20. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    lead_field20?: string | number;
    /** Since when the agent remembers, in milliseconds since 1970. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    chatbot_agentResetMemoryAt?: number | string;
    /** The trigger that fired last. Contains it, without regard to case; or `~`, `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    chatbot_lastTrigger_id?: string | number;
    /** When it fired, in milliseconds since 1970. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    chatbot_lastTriggerAt?: number | string;
    /** Until when the chatbot is quiet, in milliseconds since 1970. Its digits contain it; or `~`, `!~`, `=` for equal, `!=`, `>=`, `>`, `<=`, `<` before it. */
    chatbot_disableUntil?: number | string;
    /** When it was stored, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. Contains it, as the record writes it; or `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    created?: string;
    /** When it last changed, in UTC, as `YYYY-MM-DD HH:MM:SS.FFF`. Contains it, as the record writes it; or `!~`, `!=`, `>=`, `>`, `<=`, `<` before it. */
    updated?: string;
};
export type FindChatsReply = {
    /** The chats. */
    chats: Chat[];
    /** How many chats the instance has. */
    totalChatsStats: {
        /** All. */
        total_chats: number;
        /** With unread messages, or marked as unread. */
        unread_chats: number;
        /** Archived. */
        archived_chats: number;
        /** Pinned. */
        pinned_chats: number;
        /** Blocked. */
        blocked_chats: number;
        /** Groups. */
        groups: number;
        /** Groups whose admin the account is. */
        admin_groups: number;
        /** Groups of which the account is a member. */
        member_groups: number;
    };
    /** Where this page stands. */
    pagination: {
        /** How many match. */
        totalRecords: number;
        /** Maximum number in a page. */
        pageSize: number;
        /** The page, from 1. */
        currentPage: number;
        /** How many pages there are. */
        totalPages: number;
        /** Whether there is a page after it. */
        hasNextPage: boolean;
        /** Whether there is a page before it. */
        hasPreviousPage: boolean;
    };
};
export type ChatDetailsRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** The small picture, in `imagePreview`; else the large one, in `image`. */
    preview?: boolean;
};
export type ChatDetailsReply = Chat;
export type ChatPictureRequest = {
    /** The person or group, as a number, JID or username (`@name`); left out, the own account. */
    "number"?: string;
    /** The small picture; else the large one. */
    preview?: boolean;
};
export type CheckNumbersRequest = {
    /** Numbers with country code, JIDs, or usernames (`@name`, with its key `@name:1234`). */
    numbers: string[];
};
export type CheckNumbersReply = {
    /** As asked. */
    query: string;
    /** Its JID; empty when it has no account. */
    jid: string;
    /** Its LID, when it is known. */
    lid: string;
    /** Whether it has an account. Of groups and LIDs: whether they are known here. */
    isInWhatsapp: boolean;
    /** Always empty: it is not requested from WhatsApp. */
    verifiedName: string;
    /** The name of a group that is known here. */
    groupName: string;
    /** Why it cannot be a number. */
    error: string;
}[];
export type ReadChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** false: as unread. */
    read: boolean;
};
export type ReadChatReply = {
    /** Result. */
    response: string;
};
export type ArchiveChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** false: out of the archive. */
    archive: boolean;
};
export type ArchiveChatReply = {
    /** Result. */
    response: string;
};
export type PinChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** false: unpinned. */
    pin: boolean;
};
export type PinChatReply = {
    /** Result. */
    response: string;
};
export type MuteChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** Number of hours: 8 or 168 (a week); -1 is for good, 0 ends it. */
    muteEndTime: 0 | 8 | 168 | -1;
};
export type MuteChatReply = {
    /** Result. */
    response: string;
};
export type ChatEphemeralRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** After how long; `0` and `off` are never. */
    duration: ("off" | "0" | 0 | "1d" | "7d" | "90d") | ("off" | "0" | 0 | "1d" | "7d" | "90d");
};
export type ChatEphemeralReply = {
    /** Result. */
    response: string;
    /** The chat, as its JID. */
    chat: string;
    /** As it is now. */
    ephemeral: {
        /** Whether messages disappear. */
        enabled: boolean;
        /** After how many seconds; 0 is never. */
        seconds: number;
        /** `off`, `1d`, `7d` or `90d`. */
        label: string;
    };
};
export type ChatNotesRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
};
export type ChatNotesReply = {
    /** The chat, as its JID. */
    chat: string;
    /** The note; empty when there is none. */
    wa_notes: string;
    /** Where it comes from: `database`, the store of the gateway, which follows the devices; or `whatsapp`, asked or written just now. */
    source: "database" | "whatsapp";
};
export type EditChatNotesRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** The whole note; an empty text removes it. Nobody but the account sees it. */
    notes: string;
};
export type EditChatNotesReply = {
    /** The chat, as its JID. */
    chat: string;
    /** The note; empty when there is none. */
    wa_notes: string;
    /** Where it comes from: `database`, the store of the gateway, which follows the devices; or `whatsapp`, asked or written just now. */
    source: "database" | "whatsapp";
};
export type RefreshChatNotesRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** Read everything again, and not only what changed since the last time. */
    force?: boolean;
};
export type RefreshChatNotesReply = {
    /** The chat, as its JID. */
    chat: string;
    /** The note; empty when there is none. */
    wa_notes: string;
    /** Where it comes from: `database`, the store of the gateway, which follows the devices; or `whatsapp`, asked or written just now. */
    source: "database" | "whatsapp";
};
export type LabelChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** These labels and no others. */
    labelids?: string[];
    /** One label more. */
    add_labelid?: string;
    /** One label less. */
    remove_labelid?: string;
};
export type LabelChatReply = {
    /** Result. */
    response: string;
    /** One for each change made. */
    editions: string[];
};
export type DeleteChatRequest = {
    /** The chat, as a number, JID or username (`@name`). */
    "number": string;
    /** The chat goes from the store, with its messages and lead data. */
    deleteChatDB?: boolean;
    /** Its messages go from the store. */
    deleteMessagesDB?: boolean;
    /** It goes from the devices of the account; a group is only cleared. */
    deleteChatWhatsApp?: boolean;
    /** Its messages go from the devices; wins over deleting it. */
    clearChatWhatsApp?: boolean;
};
export type DeleteChatReply = {
    /** Result. */
    response: string;
    /** One for each thing done. */
    actions: string[];
    /** One for each that failed. */
    errors: string[];
};
export type BlockRequest = {
    /** The person, as a number, JID or username (`@name`). */
    "number": string;
    /** false: unblocked. */
    block: boolean;
};
export type BlockReply = {
    /** Result. */
    response: string;
    /** The JIDs of all who are blocked. */
    blockList: string[];
};
export type BlocklistReply = {
    /** The JIDs of all who are blocked. */
    blockList: string[];
};
export type EditLabelRequest = {
    /** Id of the label; without one a label is made. */
    labelid?: string;
    /** The name; stays when left out. */
    name?: string;
    /** Place in the palette; stays when left out. */
    color?: number;
    /** The label is deleted, and leaves its chats. */
    "delete"?: boolean;
};
export type EditLabelReply = {
    /** Result. */
    response: string;
    /** Id of the label. */
    labelid?: string;
};
export type Label = {
    /** Its id. */
    id: string;
    /** Its id. */
    labelid: string;
    /** Its name. */
    name: string;
    /** Place in the palette of WhatsApp's clients, 0 to 19. */
    color: number;
    /** The colour, six hex digits; empty when it is not of the palette. */
    colorHex?: string;
    /** The instance's own number. */
    owner?: string;
    /** When it came to be known: `YYYY-MM-DD HH:MM:SS.FFF`, UTC. */
    created?: string;
    /** When it last changed. */
    updated?: string;
};
export type LabelListReply = Label[];
export type RefreshLabelsRequest = {
    /** Read everything again, and not only what changed since the last time. */
    force?: boolean;
};
export type RefreshLabelsReply = {
    /** Always true. */
    success: boolean;
    /** Always `started`, as clients of this interface expect; the labels have been read by then. */
    status: "started";
    /** A sentence. */
    message: string;
    /** As asked. */
    force: boolean;
    /** Everything was read. */
    fullSync: boolean;
};
export type QuickReply = {
    /** Its id. */
    id: string;
    /** Text that people type to find it. */
    shortCut: string;
    /** Kind. */
    "type": "text" | "audio" | "myaudio" | "ptt" | "document" | "video" | "image";
    /** The text, or the caption. */
    text: string;
    /** URL or base64 of the file; empty for a text. */
    file?: string;
    /** Name of a document. */
    docName?: string;
    /** True: it is the phone's, and all devices of the account have it. False: it is kept here. */
    onWhatsApp: boolean;
    /** The instance's own number. */
    owner?: string;
    /** When it came to be known: ISO 8601. */
    created?: string;
    /** When it last changed: ISO 8601. */
    updated?: string;
};
export type ListQuickRepliesReply = QuickReply[];
export type EditQuickReplyRequest = {
    /** Id of the quick reply. Without an id a quick reply is created. The maximum is 500. */
    id?: string;
    /** It is deleted. */
    "delete"?: boolean;
    /** Text that people type to find it. Required for a new one. */
    shortCut?: string;
    /** Kind. Required for a new one. */
    "type"?: "text" | "audio" | "myaudio" | "ptt" | "document" | "video" | "image";
    /** The text, or the caption of a file. */
    text?: string;
    /** URL or base64 of the file; needed unless it is a text. All quick replies together hold at most 16 MiB: a URL takes little of it. */
    file?: string;
    /** Name of a document. */
    docName?: string;
    /** True: it is made, changed or deleted on the phone and all its devices, texts only. Without it those of the phone are refused with 403. */
    onWhatsApp?: boolean;
};
export type EditQuickReplyReply = {
    /** Result. */
    message: string;
    /** All, the oldest first. */
    quickReplies: QuickReply[];
};
export type Suppression = {
    /** JID of the person. Mobile numbers of Brazil have their ninth digit here, whatever WhatsApp has. A LID when the number is not known. */
    "number": string;
    /** Your words, or the word by which the person opted out. */
    reason: string;
    /** `api`: added by a call. `opt_out`: the person sent a word of opting out. */
    source: "api" | "opt_out";
    /** Time when the person came into the list. */
    created: string;
    /** Time when campaigns may write to the person again; null: never. */
    until: string | null;
};
export type SuppressionReply = {
    /** The people. */
    suppressed: Suppression[];
    /** `cursor` of the next page; null when there is none. */
    next: string | null;
};
export type AddSuppressionsRequest = {
    /** Numbers with country code, JIDs or LIDs of people, in any spelling. */
    numbers: string[];
    /** Your words. */
    reason?: string;
    /** Time when campaigns may write to them again; left out: never. A person who is in the list already keeps the later end. */
    until?: string;
};
export type AddSuppressionsReply = {
    /** How many are new in the list. */
    added: number;
    /** How many were in the list already, or were named twice. */
    known: number;
};
export type RemoveSuppressionsRequest = {
    /** Numbers with country code, JIDs or LIDs of people, in any spelling. */
    numbers: string[];
};
export type RemoveSuppressionsReply = {
    /** How many entries were removed. */
    removed: number;
};
export type CheckSuppressionsRequest = {
    /** Numbers with country code, JIDs or LIDs of people, in any spelling. */
    numbers: string[];
};
export type CheckSuppressionsReply = {
    /** As asked. */
    query: string;
    /** Whether campaigns send this person nothing. */
    isSuppressed: boolean;
    /** The entry; null when there is none. */
    suppression: Suppression | null;
}[];
export type OptOutWordsReply = {
    /** The words. They count as a whole message, without regard to case, accents and marks around them. */
    words: string[];
};
export type SetOptOutWordsRequest = {
    /** The words; none: nobody opts out by a message. */
    words: string[];
};
export type SetOptOutWordsReply = OptOutWordsReply;
export type ListContactsRequest = {
    /** The page, from 1; instead of `offset`. */
    page?: number;
    /** How many a page has. */
    pageSize?: number;
    /** As `pageSize`. */
    limit?: number;
    /** How many to pass over. */
    offset?: number;
    /** Those of the phone's address book, the others, or all. */
    contactScope?: "address_book" | "outside_address_book" | "all";
    /** Only those whose name (of the address book or their own) contains it, without regard to case, or whose number or LID contains its digits. */
    search?: string;
};
export type Contact = {
    /** Its JID. */
    jid: string;
    /** The name as saved; empty when it is not in the address book. */
    contact_name?: string;
    /** The first name as saved. */
    contact_FirstName?: string;
    /** Its LID, when it is known. */
    lid?: string;
    /** As the person calls themselves. */
    push_name?: string;
    /** Their username, without `@`; empty when none is known. */
    username?: string;
};
export type ListContactsReply = {
    /** The contacts. */
    contacts: Contact[];
    /** Where this page stands. */
    pagination: {
        /** How many match. */
        totalRecords: number;
        /** How many the phone's address book has. */
        totalDeviceContacts: number;
        /** Maximum number in a page. */
        pageSize: number;
        /** The page, from 1. */
        currentPage: number;
        /** How many pages there are. */
        totalPages: number;
        /** Whether there is a page after it. */
        hasNextPage: boolean;
        /** Whether there is a page before it. */
        hasPreviousPage: boolean;
    };
};
export type AllContactsReply = Contact[];
export type ListLidsReply = {
    /** LIDs with their numbers. */
    lids: {
        /** The LID, `…@lid`. */
        lid: string;
        /** The JID of the number, `…@s.whatsapp.net`. */
        pn: string;
        /** The number. */
        phone: string;
    }[];
    /** `after` of the next page; null at the end. */
    next: string | null;
};
export type LidMapping = {
    /** The LID, `…@lid`. */
    lid: string;
    /** The JID of the number, `…@s.whatsapp.net`. */
    pn: string;
    /** The number. */
    phone: string;
};
export type AddContactRequest = {
    /** The number, or `number`. */
    phone?: string;
    /** The number, or `phone`. */
    "number"?: string;
    /** The name. */
    name: string;
};
export type AddContactReply = {
    /** Whether it is done. */
    success: boolean;
    /** Result. */
    message: string;
    /** The contact. */
    contact: {
        /** Its JID. */
        jid: string;
        /** As saved. */
        name: string;
        /** As asked. */
        phone: string;
    };
};
export type RemoveContactRequest = {
    /** The number, or `number`. */
    phone?: string;
    /** The number, or `phone`. */
    "number"?: string;
};
export type RemoveContactReply = {
    /** Whether it is done. */
    success: boolean;
    /** Result. */
    message: string;
    /** The JID. */
    removed_contact: string;
};
export type ContactPresenceReply = {
    /** The number or JID that was asked for. */
    "number": string;
    /** `unknown`: WhatsApp says nothing, as for people who hide it, or who have not written to this account. */
    presence: "available" | "unavailable" | "unknown";
    /** The last sign of typing or recording to this account: `composing`, `recording` or `paused`; null when there was none since the person came or went. */
    activity: ("composing" | "recording" | "paused" | null) | ("composing" | "recording" | "paused" | null);
    /** When the person was last online; null when it is unknown. */
    lastSeen: string | null;
    /** True if the person hides it. */
    lastSeenHidden: boolean;
    /** When WhatsApp last said something of the person; null when it has not, since this account is connected. */
    knownAt: string | null;
};
export type Group = {
    /** Its JID. */
    JID: string;
    /** Creator of the group. */
    OwnerJID?: string;
    /** JID of the person's number, if known. */
    OwnerPN?: string;
    /** Its name. */
    Name: string;
    /** Time at which the name changed, ISO 8601; the beginning of 1970 if unknown. */
    NameSetAt?: string;
    /** Person who set the name. */
    NameSetBy?: string;
    /** JID of the person's number, if known. */
    NameSetByPN?: string;
    /** Its description. */
    Topic?: string;
    /** Id of the description. */
    TopicID?: string;
    /** When it was described. */
    TopicSetAt?: string;
    /** Person who set the description. */
    TopicSetBy?: string;
    /** Whether a description was taken away. */
    TopicDeleted?: boolean;
    /** Whether only admins change name, picture and description. */
    IsLocked?: boolean;
    /** Whether only admins send. */
    IsAnnounce?: boolean;
    /** Version of that, as WhatsApp tells it. */
    AnnounceVersionID?: string;
    /** Whether messages disappear. */
    IsEphemeral?: boolean;
    /** After how many seconds; 0 when they stay. */
    DisappearingTimer?: number;
    /** Whether members are hidden from each other. */
    IsIncognito?: boolean;
    /** Whether it is a community. */
    IsParent?: boolean;
    /** Whether admins approve who joins. */
    IsJoinApprovalRequired?: boolean;
    /** The community that it is part of. */
    LinkedParentJID?: string;
    /** Whether it is the announcements of a community. */
    IsDefaultSubGroup?: boolean;
    /** Always empty. */
    DefaultSubGroupId?: string;
    /** When it was made. */
    GroupCreated?: string;
    /** As told. */
    CreatorCountryCode?: string;
    /** Version of the members, as WhatsApp tells it. */
    ParticipantVersionID?: string;
    /** How many members it has. */
    ParticipantCount?: number;
    /** The members. */
    Participants: {
        /** As the group addresses them. */
        JID: string;
        /** Their LID, when known. */
        LID?: string;
        /** Their number's JID, when known. */
        PhoneNumber?: string;
        /** Whether they are an admin. */
        IsAdmin: boolean;
        /** Whether the group is theirs. */
        IsSuperAdmin?: boolean;
        /** Always empty. */
        DisplayName?: string;
        /** Always 0. */
        Error?: number;
    }[];
    /** Kind of address that the group uses for its members. */
    AddressingMode?: "pn" | "lid";
    /** Permission to add members: `admin_add`, `all_member_add`; empty if unknown. */
    MemberAddMode?: string;
    /** Whether this account may send. */
    OwnerCanSendMessage?: boolean;
    /** Whether this account is an admin. */
    OwnerIsAdmin?: boolean;
    /** Invitation; filled only if the call requests it. */
    invite_link?: string;
    /** JIDs of people with open requests to join, separated by commas; filled only for admins, if the call requests it. */
    request_participants?: string;
};
export type GroupListReply = {
    /** The groups. */
    groups: Group[];
};
export type FindGroupsRequest = {
    /** The page, from 1; instead of `offset`. */
    page?: number;
    /** How many a page has. */
    pageSize?: number;
    /** As `pageSize`. */
    limit?: number;
    /** How many to pass over. */
    offset?: number;
    /** Only those whose name contains it, without regard to case. */
    search?: string;
    /** Asks WhatsApp, whatever is known. */
    force?: boolean;
    /** Without the members. */
    noParticipants?: boolean;
    /** The opposite of `noParticipants`, as some clients say it. Both cannot be true. */
    getParticipants?: boolean;
};
export type FindGroupsReply = {
    /** The groups. */
    groups: Group[];
    /** Where this page stands. */
    pagination: {
        /** How many match. */
        totalRecords: number;
        /** Maximum number in a page. */
        pageSize: number;
        /** The page, from 1. */
        currentPage: number;
        /** How many pages there are. */
        totalPages: number;
        /** Whether there is a page after it. */
        hasNextPage: boolean;
        /** Whether there is a page before it. */
        hasPreviousPage: boolean;
    };
};
export type GroupInfoRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Tells the invitation too, to admins. */
    getInviteLink?: boolean;
    /** Tells those who ask to come in too, to admins. */
    getRequestsParticipants?: boolean;
    /** Asks WhatsApp, whatever is known. */
    force?: boolean;
};
export type GroupInfoReply = Group;
export type CreateGroupRequest = {
    /** Its name. */
    name: string;
    /** People, as numbers or JIDs. */
    participants: string[];
};
export type CreateGroupReply = Group;
export type JoinGroupRequest = {
    /** The code of 10 to 50 characters, or its URL. */
    inviteCode?: string;
    /** In place of the code: id of a message with an invitation card for this account (`messageType` is `invite`). */
    messageid?: string;
};
export type JoinGroupReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if an admin must approve the request to join. */
    needs_refresh?: boolean;
};
export type InviteInfoRequest = {
    /** The code of 10 to 50 characters, or its URL. */
    invitecode: string;
};
export type InviteInfoReply = Group;
export type ResetInviteCodeRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
};
export type ResetInviteCodeReply = {
    /** The URL. */
    InviteLink: string;
    /** The group after it. */
    group: Group;
    /** False: the new invitation is in the answer. */
    needs_refresh: boolean;
};
export type LeaveGroupRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
};
export type LeaveGroupReply = {
    /** Result. */
    response: string;
};
export type UpdateAnnounceRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Only admins may send. */
    announce: boolean;
};
export type UpdateAnnounceReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateLockedRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Only admins may change its name, picture and description. */
    locked: boolean;
};
export type UpdateLockedReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateGroupNameRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** The name. */
    name: string;
};
export type UpdateGroupNameReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateGroupDescriptionRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** The description; empty takes it away. */
    description: string;
};
export type UpdateGroupDescriptionReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateGroupImageRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** A URL, base64 or a data URL of a JPEG, PNG, WebP or GIF of at most 5 MiB; `remove` or `delete` takes it away. */
    image: string;
};
export type UpdateGroupImageReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateParticipantsRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Action. `approve` and `reject` answer requests to join. */
    action: "add" | "remove" | "promote" | "demote" | "approve" | "reject";
    /** People, as numbers or JIDs. */
    participants: string[];
};
export type UpdateParticipantsReply = {
    /** One for each. */
    groupUpdated: {
        /** Who. */
        JID: string;
        /** WhatsApp's code; 0 when it is done. */
        Error: number;
        /** Invitation for a person whose privacy settings let nobody add them (403): `POST /send/group-invite` sends it. */
        AddRequest?: {
            /** Its code. */
            Code: string;
            /** When it ends. */
            Expiration: string;
        };
    }[];
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateJoinApprovalRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Whoever joins by an invitation waits for an admin. */
    IsJoinApprovalRequired: boolean;
};
export type UpdateJoinApprovalReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type UpdateMemberAddModeRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** Admins alone, or all members. */
    MemberAddMode: "admin_add" | "all_member_add";
};
export type UpdateMemberAddModeReply = {
    /** Result. */
    response: string;
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type GroupEphemeralRequest = {
    /** The group, as its JID (`…@g.us`). */
    groupjid: string;
    /** After how long; `0` and `off` are never. */
    duration: ("off" | "0" | 0 | "1d" | "7d" | "90d") | ("off" | "0" | 0 | "1d" | "7d" | "90d");
};
export type GroupEphemeralReply = {
    /** Result. */
    response: string;
    /** The group's JID. */
    chat: string;
    /** As it is now. */
    ephemeral: {
        /** Whether messages disappear. */
        enabled: boolean;
        /** After how many seconds; 0 is never. */
        seconds: number;
        /** `off`, `1d`, `7d` or `90d`. */
        label: string;
    };
    /** The group after it. */
    group: Group;
    /** True if the change was made and the group could not be read again after it: `group` is then as it was. */
    needs_refresh: boolean;
};
export type InviteLinkReply = {
    /** The URL. */
    inviteLink: string;
};
export type CreateCommunityRequest = {
    /** Its name. */
    name: string;
};
export type CreateCommunityReply = {
    /** The community, which is a group of groups. */
    group: Group;
    /** Always empty: nobody is added with it. */
    failed: string[];
};
export type EditCommunityRequest = {
    /** The community, as its JID (`…@g.us`). */
    community: string;
    /** Action. */
    action: "add" | "remove";
    /** The groups, as their JIDs. */
    groupjids: string[];
};
export type EditCommunityReply = {
    /** How many. */
    message: string;
    /** Those for which it is done. */
    success: string[];
    /** The others. */
    failed: {
        /** A group's JID. */
        JID: string;
        /** The code of the error. */
        Error: string;
    }[];
};
export type Channel = {
    /** Its JID. */
    id: string;
    /** Its name. */
    name: string;
    /** Its description; may be empty. */
    description: string;
    /** Link to it; empty if WhatsApp does not say. */
    link: string;
    /** Number of followers; null if WhatsApp does not say. */
    subscribers: number | null;
    /** WhatsApp has verified it. */
    verified: boolean;
    /** Address of its picture; empty if it has none. */
    picture: string;
    /** Its state: `ACTIVE`, `SUSPENDED`, `GEOSUSPENDED`, `DELETED` or another word of WhatsApp. */
    state: string;
    /** What the account is there: `OWNER`, `ADMIN`, `SUBSCRIBER`, `GUEST`, or another word of WhatsApp. */
    role: string;
    /** The account has muted it. */
    muted: boolean;
    /** With which emojis people may react: `all`, `basic`, `none` or `blocklist`; empty if WhatsApp does not say. */
    reactionCodes: string;
    /** When it was created, in milliseconds since 1970; null if WhatsApp does not say. */
    created: number | null;
};
export type ListChannelsReply = {
    /** The channels. */
    response: Channel[];
};
export type CreateChannelRequest = {
    /** Its name. */
    name: string;
    /** Its description. */
    description?: string;
    /** A URL, base64 or a data URL of a JPEG, PNG, WebP or GIF of at most 5 MiB. */
    picture?: string;
};
export type CreateChannelReply = {
    /** The channel. */
    response: Channel;
};
export type ShowChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type ShowChannelReply = {
    /** The channel. */
    response: Channel;
};
export type FindChannelRequest = {
    /** The link (`https://whatsapp.com/channel/…`), or the part of it after `channel/`. */
    key: string;
};
export type FindChannelReply = {
    /** The channel. */
    response: Channel;
};
export type SearchChannelsRequest = {
    /** Text to search for. */
    searchText?: string;
    /** Order of a list without `searchText`; `RECOMMENDED` when missing. */
    view?: "RECOMMENDED" | "TRENDING" | "POPULAR" | "NEW";
    /** ISO codes of countries, for a list without `searchText`. */
    countryCodes?: string[];
    /** Maximum of channels; 50 when missing. */
    limit?: number;
    /** Cursor of the page, from `after` of the one before. */
    after?: string;
};
export type SearchChannelsReply = {
    /** A page. */
    response: {
        /** Cursor of the next page; empty at the end. */
        after: string;
        /** The channels. */
        data: Channel[];
    };
};
export type FollowChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type FollowChannelReply = {
    /** Result. */
    response: string;
};
export type MuteChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type MuteChannelReply = {
    /** Result. */
    response: string;
};
export type UnmuteChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type UnmuteChannelReply = {
    /** Result. */
    response: string;
};
export type UnfollowChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type UnfollowChannelReply = {
    /** Result. */
    response: string;
};
export type SubscribeToChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** For how many minutes the gateway renews the request with WhatsApp, which forgets it after some minutes and with each connection; 60 when missing, 0 ends it. Another call begins the time again. */
    minutes?: number;
};
export type SubscribeToChannelReply = {
    /** How long it lasts. */
    response: {
        /** Seconds after which WhatsApp forgets a request that is not renewed; 0 if it was ended. */
        duration: number;
        /** Time until which the gateway renews it, in milliseconds since 1970. */
        until: number;
    };
};
export type ListChannelPostsRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Maximum of posts; 50 when missing. */
    count?: number;
    /** `serverid` of a post: lists those before it. */
    beforeid?: number;
};
export type ChannelPost = {
    /** Number of the post in its channel, as WhatsApp counts posts. */
    serverid: number;
    /** Its message id. */
    messageid: string;
    /** Kind of its stanza, in the words of WhatsApp: `text`, `media`, `poll`, `reaction`. */
    "type": string;
    /** When it was posted, in milliseconds since 1970. */
    timestamp: number;
    /** Views; null if WhatsApp does not say. */
    viewsCount: number | null;
    /** How often each emoji was given. */
    reactionCounts: {
        [key: string]: number;
    };
    /** Kind of its content, as in records of messages; empty for a post that was deleted. */
    messageType: string;
    /** Its text or caption. */
    text: string;
    /** Its content, as in records of messages; null for a post that was deleted. */
    message: unknown;
};
export type ListChannelPostsReply = {
    /** The posts. */
    response: ChannelPost[];
};
export type ListChannelUpdatesRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Maximum of posts; 50 when missing. */
    count?: number;
    /** `serverid` of a post: lists those after it. */
    afterid?: number;
    /** Lists changes since this time, in milliseconds since 1970. */
    since?: number;
};
export type ListChannelUpdatesReply = {
    /** The posts. */
    response: {
        /** Number of the post in its channel, as WhatsApp counts posts. */
        serverid: number;
        /** Views; null if WhatsApp does not say. */
        viewsCount: number | null;
        /** How often each emoji was given. */
        reactionCounts: {
            [key: string]: number;
        };
    }[];
};
export type MarkPostsViewedRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** The posts. */
    serverids: number[];
};
export type MarkPostsViewedReply = {
    /** Result. */
    response: string;
};
export type ReactToPostRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Number of the post in its channel, as WhatsApp counts posts. */
    serverid: number;
    /** One emoji; an empty or missing text takes the reaction back. */
    reaction?: string;
    /** Id of the reaction as a message; made by the gateway when missing. */
    reactionmessageid?: string;
};
export type ReactToPostReply = {
    /** Result. */
    response: string;
};
export type EditChannelPostRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Message id of the post. */
    messageid?: string;
    /** Number of the post in its channel, as WhatsApp counts posts. */
    serverid?: number;
    /** The new text. */
    text: string;
};
export type EditChannelPostReply = {
    /** Result. */
    response: string;
};
export type DeleteChannelPostRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Message id of the post. */
    messageid?: string;
    /** Number of the post in its channel, as WhatsApp counts posts. */
    serverid?: number;
};
export type DeleteChannelPostReply = {
    /** Result. */
    response: string;
};
export type SetChannelNameRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** The name. */
    name: string;
};
export type SetChannelNameReply = {
    /** The channel. */
    response: Channel;
};
export type SetChannelDescriptionRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** The description; an empty one removes it. */
    description: string;
};
export type SetChannelDescriptionReply = {
    /** The channel. */
    response: Channel;
};
export type SetChannelPictureRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** A URL, base64 or a data URL of a JPEG, PNG, WebP or GIF of at most 5 MiB; `remove` or `delete` takes it away. */
    picture: string;
};
export type SetChannelPictureReply = {
    /** The channel. */
    response: Channel;
};
export type SetChannelSettingsRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** `all` emojis, the `basic` ones, or `none`. */
    reactionCodes: "all" | "basic" | "none";
};
export type SetChannelSettingsReply = {
    /** The channel. */
    response: Channel;
};
export type InviteChannelAdminRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Whom: digits with country code, or a JID. */
    phone: string;
    /** A text beside the invitation. */
    caption?: string;
};
export type InviteChannelAdminReply = {
    /** The invitation. */
    response: {
        /** Time at which the invitation ends, in milliseconds since 1970; 0 if WhatsApp does not say. */
        expires: number;
        /** Id of the message with the invitation. */
        messageid: string;
    };
};
export type AcceptChannelAdminRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type AcceptChannelAdminReply = {
    /** Result. */
    response: string;
};
export type RemoveChannelAdminRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Whom: digits with country code, or a JID. */
    phone: string;
};
export type RemoveChannelAdminReply = {
    /** Result. */
    response: string;
};
export type RevokeChannelInviteRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Whom: digits with country code, or a JID. */
    phone: string;
};
export type RevokeChannelInviteReply = {
    /** Result. */
    response: string;
};
export type TransferChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
    /** Whom: digits with country code, or a JID. */
    phone: string;
    /** True: the account is no administrator after it. */
    quitAdmin?: boolean;
};
export type TransferChannelReply = {
    /** Result. */
    response: string;
};
export type DeleteChannelRequest = {
    /** The channel, as its JID (`…@newsletter`). */
    id?: string;
    /** The same, under its other name. `id` counts if both are given. */
    jid?: string;
};
export type DeleteChannelReply = {
    /** Result. */
    response: string;
};
export type EditAgentRequest = {
    /** Id of the agent; without one an agent is made. */
    id?: string;
    /** The agent is deleted. A trigger must not use it. */
    "delete"?: boolean;
    /** The fields of the agent; fields that are not given stay. A new agent needs `name`, `provider`, `model` and `apikey`. */
    agent?: {
        /** Name of the agent. */
        name?: string;
        /** Provider of the model. `custom` is any server with the interface of OpenAI, at `baseUrl`. */
        provider?: "openai" | "anthropic" | "gemini" | "deepseek" | "custom";
        /** Name of the model, as the provider spells it. */
        model?: string;
        /** Key of the provider. It is stored encrypted, and answers show its beginning and end; such a text sent back changes nothing. `openai` without a key uses `openai_apikey` of the instance; `custom` may have none. An empty text removes the key. */
        apikey?: string;
        /** Base address of the provider's interface, such as `https://llm.example/v1`. Needed for `custom`; empty: the provider's own. It must be a public address, or one that the operator allows. */
        baseUrl?: string;
        /** Model with which the server at `baseUrl` makes vectors of knowledge, such as `nomic-embed-text`. Empty: `text-embedding-3-small`, and `gemini-embedding-001` of `gemini`. It counts only with `baseUrl`. */
        embeddingModel?: string;
        /** Instructions of the agent. */
        basePrompt?: string;
        /** Maximum of tokens of an answer. Of a new one: 1000. */
        maxTokens?: number;
        /** Freedom of the answers. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. Null: as the provider has it. */
        temperature?: number | null;
        /** Diversity of the words (topP). From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. Null: as the provider has it. */
        diversityLevel?: number | null;
        /** Penalty for words that were used often. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. Null: as the provider has it. */
        frequencyPenalty?: number | null;
        /** Penalty for words that were used at all. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. Null: as the provider has it. */
        presencePenalty?: number | null;
        /** Whether the first line of an answer names the agent. Of a new one: false. */
        signMessages?: boolean;
        /** Whether messages are marked as read when they are answered. Of a new one: false. */
        readMessages?: boolean;
        /** Maximum of characters of a message, at least 50; longer answers are sent in parts. 0: 4096. Of a new one: 0. */
        maxMessageLength?: number;
        /** For how many seconds typing is shown before each message. Of a new one: 0. */
        typingDelay_seconds?: number;
        /** The model sees messages of this many hours; 0: of any age. Of a new one: 24. */
        contextTimeWindow_hours?: number;
        /** The model sees at most this many messages; 0: 200. Of a new one: 50. */
        contextMaxMessages?: number;
        /** The model sees this many of the newest messages whatever their age. Of a new one: 3. */
        contextMinMessages?: number;
        /** Ids of the functions that it may call. Null: all active ones of the instance. */
        functions?: string[] | null;
        /** Ids of the knowledge that it may use. Null: all that is active. */
        knowledge?: string[] | null;
        /** Sent when the provider fails for long; empty: nothing is sent. */
        fallbackMessage?: string;
        /** Price of a million tokens that the model reads, in a currency of your choice, for the budget. Null: they cost nothing. */
        inputPrice?: number | null;
        /** Price of a million tokens that the model writes, likewise. */
        outputPrice?: number | null;
    };
};
export type Agent = {
    /** Its id. */
    id: string;
    /** Name of the agent. */
    name: string;
    /** Provider of the model. `custom` is any server with the interface of OpenAI, at `baseUrl`. */
    provider: "openai" | "anthropic" | "gemini" | "deepseek" | "custom";
    /** Name of the model, as the provider spells it. */
    model: string;
    /** How the key begins and ends, as in `sk-...a1b2`; empty: there is none. No answer contains the key. */
    apikey?: string;
    /** Base address of the provider's interface; empty: the provider's own. */
    baseUrl?: string;
    /** Model of vectors of knowledge at `baseUrl`; empty: the usual one of the provider. */
    embeddingModel?: string;
    /** Instructions of the agent. */
    basePrompt?: string;
    /** Maximum of tokens of an answer. */
    maxTokens?: number;
    /** Freedom of the answers. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. */
    temperature?: number;
    /** Diversity of the words (topP). From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. */
    diversityLevel?: number;
    /** Penalty for words that were used often. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. */
    frequencyPenalty?: number;
    /** Penalty for words that were used at all. From 0 to 100, which is 0 to 1 for the model; models that refuse it do not get it. */
    presencePenalty?: number;
    /** Whether the first line of an answer names the agent. */
    signMessages?: boolean;
    /** Whether messages are marked as read when they are answered. */
    readMessages?: boolean;
    /** Maximum of characters of a message; longer answers are sent in parts. 0: 4096. */
    maxMessageLength?: number;
    /** For how many seconds typing is shown before each message. */
    typingDelay_seconds?: number;
    /** The model sees messages of this many hours; 0: of any age. */
    contextTimeWindow_hours?: number;
    /** The model sees at most this many messages; 0: 200. */
    contextMaxMessages?: number;
    /** The model sees this many of the newest messages whatever their age. */
    contextMinMessages?: number;
    /** Ids of the functions that it may call. Null: all active ones of the instance. */
    functions?: string[] | null;
    /** Ids of the knowledge that it may use. Null: all that is active. */
    knowledge?: string[] | null;
    /** Sent when the provider fails for long; empty: nothing is sent. */
    fallbackMessage?: string;
    /** Price of a million tokens that the model reads, in a currency of your choice, for the budget. Null: they cost nothing. */
    inputPrice?: number | null;
    /** Price of a million tokens that the model writes, likewise. */
    outputPrice?: number | null;
    /** Why it does not answer until it is edited, such as a key that the provider refuses; empty: it answers. */
    blockedReason?: string;
    /** What stops it: `provider_key`: the provider does not accept the key; `provider_quota`: the account at the provider has no credit left. Empty: nothing, or it was stopped by an older release. */
    blockedCode?: "" | "provider_key" | "provider_quota";
    /** Why the server at `baseUrl` makes no vectors of knowledge, so that it is not asked until the agent is edited; empty: it makes some, or was not asked yet. */
    embeddingError?: string;
    /** Reason in `embeddingError` for programs: `provider_refused`: the server has no embeddings, or not this model; `provider_key`: it does not accept the key; `provider_address`: its address cannot be used. Empty: nothing, or an older release wrote it. */
    embeddingCode?: "" | "provider_refused" | "provider_key" | "provider_address";
    /** Number of the account, in digits. */
    owner?: string;
    /** When it was made, as ISO 8601 in UTC. */
    created?: string;
    /** When it last changed, as ISO 8601 in UTC. */
    updated?: string;
};
export type EditAgentReply = Agent;
export type AgentListReply = Agent[];
export type TestAgentRequest = {
    /** Id of the agent. */
    agent_id: string;
    /** The conversation, oldest message first. The last one is of the customer. */
    messages: {
        /** `user`: the customer; `assistant`: the agent. */
        role: "user" | "assistant";
        /** Its text. */
        text: string;
    }[];
    /** True: functions are really called, also those that change something. False: the model learns that the call is a trial, and nothing is called. */
    runFunctions?: boolean;
    /** Values of the placeholders that the gateway fills in a real conversation, such as `chat.phone` and `chat.name`. */
    placeholders?: {
        [key: string]: string;
    };
};
export type TestAgentUsage = {
    /** Tokens of the questions. */
    inputTokens: number;
    /** Tokens of the answers. */
    outputTokens: number;
    /** True when the provider did not count them. */
    isEstimate: boolean;
};
export type TestAgentReply = {
    /** Text of the answer; empty when there is none. */
    reply: string;
    /** True when the agent would hand the conversation to a person after this text. */
    isTransfer: boolean;
    /** Reason why there is no answer; empty when there is one. */
    error: string;
    /** The answers of the model, in order, with the calls that it asked for. */
    steps: {
        /** Its text. */
        text: string;
        /** Reason of its end: `stop`, `length`, `calls`, `blocked` or `other`. */
        finish: string;
        /** Time that the model took. */
        durationMs: number;
        /** Tokens of this answer. */
        usage: TestAgentUsage;
        /** Calls of functions and of the built-in tools. */
        calls: {
            /** Name of the tool. */
            name: string;
            /** Arguments as the model wrote them. */
            arguments: string;
            /** Text that the model got. */
            result: string;
            /** True when the model received an error. */
            isError: boolean;
            /** Method and host of the HTTP call, when one was made. */
            endpoint?: string;
            /** HTTP status of its answer. */
            status?: number;
            /** Time that the call took. */
            durationMs?: number;
        }[];
    }[];
    /** Parts of the knowledge that the model got with the conversation, best first. */
    chunks: {
        /** Id of the entry. */
        entry: string;
        /** Title of the entry. */
        title: string;
        /** Number of the part in its entry, from 0. */
        position: number;
        /** Its text. */
        text: string;
        /** How well it fits; comparable within one answer only. */
        score: number;
    }[];
    /** Tokens of all answers. */
    usage: TestAgentUsage;
    /** Settings that the model does not take, and other hints. */
    warnings: string[];
};
export type AgentTurn = {
    /** The turn. */
    id: string;
    /** JID of the chat. */
    chatid: string;
    /** State. `done`, `skipped`, `cancelled` and `failed` are final. */
    state: "waiting" | "preparing" | "asking" | "calling" | "replying" | "done" | "skipped" | "cancelled" | "failed";
    /** Why it ended without an answer of the model, as one word; `transferred` if the answer hands the chat to a person; empty otherwise. */
    reason: string;
    /** Last error as a sentence; empty if there was none. */
    error: string;
    /** Its trigger; empty if none was chosen. */
    trigger_id: string;
    /** Its agent; empty if none was chosen. */
    agent_id: string;
    /** Failed calls of the model in a row. */
    attempts: number;
    /** Number of times that it began, because messages came meanwhile. */
    generation: number;
    /** True if the chat got a text that no model has written. */
    isFallback: boolean;
    /** Tokens that the model read. */
    tokensIn: number;
    /** Tokens that the model wrote. */
    tokensOut: number;
    /** Cost of the model's calls, in the currency of `inputPrice` and `outputPrice` of the agent; 0 without prices. */
    cost: number;
    /** When it begins or tries again, in Unix milliseconds. */
    due: number;
    /** When its first message arrived, in Unix milliseconds. */
    created: number;
    /** When it last changed, in Unix milliseconds. */
    updated: number;
    /** When it ended, in Unix milliseconds; null if it has not. */
    ended: number | null;
    /** Answers of the model; only with `trace`. */
    steps?: {
        /** The beginning of the turn that it belongs to. */
        generation: number;
        /** Its place, from 0. */
        "number": number;
        /** Text. */
        text: string;
        /** Why it ended: `stop`, `length`, `calls`, `blocked`, `other`. */
        finish: string;
        /** Tokens that the model read. */
        tokensIn: number;
        /** Tokens that the model wrote. */
        tokensOut: number;
        /** True if the provider did not count the tokens. */
        isEstimate: boolean;
        /** Sentences about settings that the model did not take. */
        warnings: string[];
        /** Duration of the call in milliseconds. */
        ms: number;
        /** Calls of functions and of the built-in tools that the model asked for. */
        calls: {
            /** Name of the tool. */
            name: string;
            /** Beginning of the arguments as the model wrote them. */
            arguments: string;
            /** `planned`: not made. `started`: made, and its result is not stored. `done`: its result is stored. */
            state: "planned" | "started" | "done";
            /** Beginning of the text that the model got. */
            result: string;
            /** True when the model received an error. */
            isError: boolean;
            /** Method and host of the HTTP call, when one was made. */
            endpoint?: string;
            /** HTTP status of its answer. */
            status?: number;
            /** Time that the call took. */
            durationMs?: number;
        }[];
    }[];
    /** Messages of the answer; only with `trace`. */
    replies?: {
        /** Its place, from 0. */
        part: number;
        /** Text. */
        text: string;
        /** Its id at WhatsApp. */
        messageid: string;
        /** `planned`, `sent` (it is a message of the chat), `failed` (WhatsApp refused it) or `skipped`. */
        state: "planned" | "sent" | "failed" | "skipped";
    }[];
};
export type AgentTurnsReply = {
    /** The turns. */
    turns: AgentTurn[];
    /** `cursor` of the next page; null when there is none. */
    next: string | null;
};
export type RetryTurnRequest = {
    /** The turn, as in `GET /agent/turns`. */
    id: string;
};
export type RetryTurnReply = {
    /** Its id. */
    id: string;
};
export type AgentUsageDay = {
    /** The day, such as `2026-01-31`. */
    day: string;
    /** Turns that asked a model. */
    turns: number;
    /** Tokens that models read. */
    tokensIn: number;
    /** Tokens that models wrote. */
    tokensOut: number;
    /** Estimated tokens of calls that are under way, or whose answer was lost. They count as used. */
    tokensReserved: number;
    /** Cost of the calls, in the currency of `inputPrice` and `outputPrice` of the agents; 0 without prices. */
    cost: number;
};
export type AgentUsageReply = {
    /** Maximum of a UTC day. */
    limits: {
        /** Turns (`AGENT_TURNS_PER_DAY`). */
        turns: number;
        /** Tokens that models read and write, with those that are reserved (`AGENT_TOKENS_PER_DAY`). */
        tokens: number;
        /** Money (`chatbot_costPerDay` of the instance); 0: any. */
        cost: number;
    };
    /** When the next day begins, in Unix milliseconds. */
    resetsAt: number;
    /** Today, and earlier days on which agents worked, the newest first. */
    days: AgentUsageDay[];
};
export type EditTriggerRequest = {
    /** Id of the trigger; without one a trigger is made. */
    id?: string;
    /** The trigger is deleted. */
    "delete"?: boolean;
    /** The fields of the trigger; fields that are not given stay. A new trigger needs `type` and `agent_id`. */
    trigger?: {
        /** Whether it may fire. Of a new one: true. */
        active?: boolean;
        /** `agent`: an agent answers. `quickreply` and `flow` are refused: quick replies are only stored, and there are no flows. */
        "type"?: "agent" | "quickreply" | "flow";
        /** Id of the agent that answers. */
        agent_id?: string;
        /** Refused with `quickreply`. */
        quickReply_id?: string;
        /** Refused with `flow`. */
        flow_id?: string;
        /** Whether it leaves groups alone. `chatbot_ignoreGroups` of the instance counts too. Of a new one: true. */
        ignoreGroups?: boolean;
        /** Field of the chat record that must fulfil the condition; empty: none. */
        lead_field?: "" | "lead_name" | "lead_fullName" | "lead_email" | "lead_personalid" | "lead_status" | "lead_tags" | "lead_notes" | "lead_isTicketOpen" | "lead_field01" | "lead_field02" | "lead_field03" | "lead_field04" | "lead_field05" | "lead_field06" | "lead_field07" | "lead_field08" | "lead_field09" | "lead_field10" | "lead_field11" | "lead_field12" | "lead_field13" | "lead_field14" | "lead_field15" | "lead_field16" | "lead_field17" | "lead_field18" | "lead_field19" | "lead_field20";
        /** The condition of `lead_field`, without which it is refused. `greater` and `less` compare numbers, or dates as in `2026-01-31`, of at most 64 characters. `contains` searches the first 1,000 characters of a field; if the triggers of the instance search more than two fields, 2,000 characters of all, the same of each. Tags are compared one by one. Case does not count. */
        lead_operator?: "equals" | "not_equals" | "contains" | "not_contains" | "greater" | "less" | "empty" | "not_empty";
        /** Value to compare with; `true` or `false` for `lead_isTicketOpen`. */
        lead_value?: string;
        /** Of the triggers that fit, only one of the highest priority fires; chance decides among several. Of a new one: 1. */
        priority?: number;
        /** Phrases between pipes, as in `hello|good morning`. The message must hold one of them as whole words among its first 1000 characters; case, accents and punctuation do not count. Empty: every message fits. */
        wordsToStart?: string;
        /** Quiet time before the answer. Messages that arrive meanwhile are answered together, and each starts the time again. Of a new one: 10. */
        responseDelay_seconds?: number;
        /** Hours in which the trigger answers. Null: always. */
        schedule?: {
            /** IANA name of the time zone, such as `America/Sao_Paulo`. */
            timezone: string;
            /** Hours of the week. The trigger answers in each of them. */
            windows: {
                /** `sun`, `mon`, `tue`, `wed`, `thu`, `fri`, `sat`; all if missing. A window that passes midnight belongs to the day on which it begins. */
                days?: string[];
                /** `HH:MM`, `00:00` if missing. */
                "from"?: string;
                /** `HH:MM`, `24:00` if missing. Earlier than `from`: on the next day. */
                to?: string;
            }[];
            /** Sent once in each closed period to a person who writes; empty: nothing is sent. */
            closedMessage?: string;
        } | null;
    };
};
export type Trigger = {
    /** Its id. */
    id: string;
    /** Whether it may fire. */
    active: boolean;
    /** `agent`: an agent answers. */
    "type": "agent";
    /** Id of the agent that answers. */
    agent_id: string;
    /** Whether it leaves groups alone. `chatbot_ignoreGroups` of the instance counts too. */
    ignoreGroups?: boolean;
    /** Field of the chat record that must fulfil the condition; empty: none. */
    lead_field?: "" | "lead_name" | "lead_fullName" | "lead_email" | "lead_personalid" | "lead_status" | "lead_tags" | "lead_notes" | "lead_isTicketOpen" | "lead_field01" | "lead_field02" | "lead_field03" | "lead_field04" | "lead_field05" | "lead_field06" | "lead_field07" | "lead_field08" | "lead_field09" | "lead_field10" | "lead_field11" | "lead_field12" | "lead_field13" | "lead_field14" | "lead_field15" | "lead_field16" | "lead_field17" | "lead_field18" | "lead_field19" | "lead_field20";
    /** The condition. `greater` and `less` compare numbers, or dates as in `2026-01-31`. Tags are compared one by one. Case does not count. */
    lead_operator?: "equals" | "not_equals" | "contains" | "not_contains" | "greater" | "less" | "empty" | "not_empty";
    /** Value to compare with; `true` or `false` for `lead_isTicketOpen`. */
    lead_value?: string;
    /** Of the triggers that fit, only one of the highest priority fires; chance decides among several. */
    priority?: number;
    /** Phrases between pipes, as in `hello|good morning`. The message must hold one of them as whole words among its first 1000 characters; case, accents and punctuation do not count. Empty: every message fits. */
    wordsToStart?: string;
    /** Quiet time before the answer. Messages that arrive meanwhile are answered together, and each starts the time again. */
    responseDelay_seconds?: number;
    /** Hours in which the trigger answers. */
    schedule?: {
        /** IANA name of the time zone, such as `America/Sao_Paulo`. */
        timezone: string;
        /** Hours of the week. The trigger answers in each of them. */
        windows: {
            /** `sun`, `mon`, `tue`, `wed`, `thu`, `fri`, `sat`; all if missing. A window that passes midnight belongs to the day on which it begins. */
            days?: string[];
            /** `HH:MM`, `00:00` if missing. */
            "from"?: string;
            /** `HH:MM`, `24:00` if missing. Earlier than `from`: on the next day. */
            to?: string;
        }[];
        /** Sent once in each closed period to a person who writes; empty: nothing is sent. */
        closedMessage?: string;
    };
    /** Number of the account, in digits. */
    owner?: string;
    /** When it was made, as ISO 8601 in UTC. */
    created?: string;
    /** When it last changed, as ISO 8601 in UTC. */
    updated?: string;
};
export type EditTriggerReply = Trigger;
export type TriggerListReply = Trigger[];
export type EditFunctionRequest = {
    /** Id of the function; without one a function is made, of which there are at most 200. */
    id?: string;
    /** The function is deleted. */
    "delete"?: boolean;
    /** What it shall be; what is not given stays. */
    "function"?: {
        /** Unique; letters, digits, `_` and `-`. */
        name?: string;
        /** Description for the agent. */
        description?: string;
        /** The method. */
        method?: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
        /** The full URL, with `{{placeholders}}` in path and query. The gateway itself fills `{{chat.id}}`, `{{chat.phone}}`, `{{chat.name}}`, the lead fields such as `{{chat.lead_email}}`, `{{instance.id}}`, `{{instance.name}}` and `{{instance.phone}}`, here and in headers and body. */
        endpoint?: string;
        /** Whether it may be called again after a call whose outcome was lost, in a crash for example. GET always may. Default false. */
        retrySafe?: boolean;
        /** Whether agents may call it; a wrong one is switched off. */
        isActive?: boolean;
        /** An object of texts, or that as text. Secrets belong here: they are stored encrypted, and neither the model nor an answer shows them. A masked value from an answer (`***`) leaves the stored one. With another scheme, host or port of `endpoint` the whole values are required; `""` removes them. */
        headers?: {
            [key: string]: unknown;
        } | {
            [key: string]: unknown;
        };
        /** An object, or that as text. */
        body?: {
            [key: string]: unknown;
        } | {
            [key: string]: unknown;
        };
        /** Values for its placeholders. */
        parameters?: {
            /** Its name, as in placeholders. */
            name?: string;
            /** `string`, `number`, `integer` or `boolean`. */
            "type"?: string;
            /** Kind. */
            description?: string;
            /** Whether it must be given. */
            required?: boolean;
            /** Allowed values of a string, between commas. */
            "enum"?: string;
            /** Of a number. */
            minimum?: number;
            /** Of a number. */
            maximum?: number;
        }[];
    };
};
export type FunctionRecord = {
    /** Its id. */
    id: string;
    /** Its name. */
    name: string;
    /** Description for the agent. */
    description?: string;
    /** The method. */
    method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
    /** The URL, with placeholders. */
    endpoint: string;
    /** Whether agents may call it. */
    active: boolean;
    /** Whether it may be called again after a call whose outcome was lost. */
    retrySafe?: boolean;
    /** JSON as text; empty when there are none. Values are masked: `***` stands for all but placeholders, except in `Accept`, `Accept-Language` and `Content-Type`. */
    headers?: string;
    /** JSON as text; empty when there is none. */
    body?: string;
    /** Values for its placeholders. */
    parameters?: {
        /** Its name, as in placeholders. */
        name?: string;
        /** `string`, `number`, `integer` or `boolean`. */
        "type"?: string;
        /** Description of the parameter, for the agent. */
        description?: string;
        /** Whether it must be given. */
        required?: boolean;
        /** Allowed values of a string, between commas. */
        "enum"?: string;
        /** Of a number. */
        minimum?: number;
        /** Of a number. */
        maximum?: number;
    }[];
    /** Placeholders without a parameter, between commas. */
    undocumentedParameters: string;
    /** The headers are not a JSON object of texts. */
    header_error: boolean;
    /** The body is not a JSON object. */
    body_error: boolean;
    /** The instance's own number. */
    owner?: string;
    /** ISO 8601. */
    created?: string;
    /** ISO 8601. */
    updated?: string;
    /** Other reasons why it is not active; only in the answer to an edit. */
    problems?: string[];
};
export type EditFunctionReply = FunctionRecord;
export type FunctionListReply = FunctionRecord[];
export type TestFunctionRequest = {
    /** Id of the function. */
    id: string;
    /** The arguments by the names of the parameters, or JSON text as a model writes it, which may be broken. */
    arguments?: {
        [key: string]: unknown;
    } | {
        [key: string]: unknown;
    };
    /** Values of the placeholders that the gateway fills in a conversation, such as `chat.phone` and `chat.name`. */
    placeholders?: {
        [key: string]: string;
    };
};
export type TestFunctionReply = {
    /** Text for the model: the answer, at most 64 KiB of it, or a sentence about the error. */
    text: string;
    /** True if the model would receive an error. */
    isError: boolean;
    /** Method and host of the call, if one was made. */
    endpoint?: string;
    /** HTTP status of the answer, if there is one. */
    status?: number;
    /** Time that the call took. */
    durationMs?: number;
};
export type EditKnowledgeRequest = {
    /** Id of the entry; without one an entry is made, of which there are at most 1000. */
    id?: string;
    /** The entry is deleted. */
    "delete"?: boolean;
    /** Type of the content. Needed only where the content does not tell: for CSV, and for base64 of a short text. */
    fileType?: "pdf" | "txt" | "html" | "csv";
    /** What it shall be; what is not given stays. */
    knowledge?: {
        /** Whether agents may use it. */
        active?: boolean;
        /** As `active`. */
        isActive?: boolean;
        /** Its title. */
        tittle?: string;
        /** A text, the URL of a page or file, or a file as base64 or data URL: pdf, html, csv or txt, at most 10 MiB. The text of a file becomes the content. Content with the same URL fetches it again. */
        content?: string;
        /** The highest is first. */
        priority?: number;
    };
};
export type Knowledge = {
    /** Its id. */
    id: string;
    /** Whether agents may use it. */
    active: boolean;
    /** Its title; the field is spelled so. */
    tittle: string;
    /** Text, or its URL. Of a file: its text, once it was read. */
    content: string;
    /** `pending`: to be read; `processing`: being read; `indexed`: found by its words, since the instance has no provider with embeddings, or none that makes vectors (see `vectorError`); `vectorized`: found by its meaning too; `error`: see `vectorError`. Empty: inactive, and never read. */
    vectorStatus?: string;
    /** Why `vectorStatus` is `error`, or why an entry that is `indexed` has no vectors. Chunks that were found before are found still. */
    vectorError?: string;
    /** Reason in `vectorError` for programs: `no_embeddings`: no provider of the account makes vectors; `provider_away`, `provider_refused`, `provider_key`, `provider_quota`, `provider_address`: of the provider that makes vectors; `budget`: the limit of the day is reached; `url`: the URL could not be fetched; `url_not_allowed`: its address is not allowed; `content`: its type is not read; `unreadable`: the file or text could not be read; `too_much`: all entries together are too much; `interrupted`: reading it broke off too often; `internal`: an error of the gateway. Empty: nothing, or an older release wrote it. */
    vectorCode?: "" | "no_embeddings" | "provider_away" | "provider_refused" | "provider_key" | "provider_quota" | "provider_address" | "budget" | "url" | "url_not_allowed" | "content" | "unreadable" | "too_much" | "interrupted" | "internal";
    /** Whether it can be searched by meaning. */
    isVectorized?: boolean;
    /** When it got vectors, in milliseconds; 0 for never. */
    lastVectorizedAt?: number;
    /** The instance's own number. */
    owner?: string;
    /** The highest is first. */
    priority?: number;
    /** ISO 8601. */
    created?: string;
    /** ISO 8601. */
    updated?: string;
};
export type EditKnowledgeReply = Knowledge;
export type KnowledgeListReply = Knowledge[];
export type SearchKnowledgeRequest = {
    /** The question. It is searched by its words, and by its meaning if the instance has a key of OpenAI or Gemini. */
    query: string;
    /** Maximum number of chunks. */
    limit?: number;
    /** Ids of the entries in which to search. Default: all that are active. */
    entries?: string[];
};
export type SearchKnowledgeReply = {
    /** The meaning was searched too. False: only the words, because there is no key, no entry with vectors, or the provider failed. */
    byMeaning: boolean;
    /** Pieces of entries. */
    chunks: {
        /** Id of the entry. */
        id: string;
        /** Title of the entry. */
        tittle: string;
        /** Place in the entry; the first is 0. */
        position: number;
        /** The text. */
        text: string;
        /** Place among the others, from 1 (first by words and by meaning) down to 0. */
        score: number;
    }[];
};
export type EventName = string;
export type MessageFilter = "wasSentByApi" | "wasNotSentByApi" | "fromMeYes" | "fromMeNo" | "isGroupYes" | "IsGroupNo" | "isGroupNo";
export type WebhookBatch = {
    /** Maximum of events in one request. A request has at most 1 MiB, unless one event is larger. */
    max: number;
    /** Maximum time, in milliseconds, for which an event waits for others. */
    waitMs: number;
} | null;
export type Webhook = {
    /** Names the webhook. */
    id: string;
    /** The instance whose events it receives; empty for a global one. */
    instance_id: string;
    /** Whether events are delivered. */
    enabled: boolean;
    /** Where events are posted to, with the password masked. */
    url: string;
    /** The kinds of events that are delivered. */
    events: EventName[];
    /** Messages that match any of these are not delivered. */
    excludeMessages: MessageFilter[];
    /** Whether the kind of event is appended to the URL. */
    addUrlEvents: boolean;
    /** Whether the type of message is appended to the URL. */
    addUrlTypesMessages: boolean;
    /** Whether messages that agents sent have `ai_metadata`, with their prompts. */
    includeAiMetadata: boolean;
    /** Whether events have the `token` of their instance. */
    includeToken: boolean;
    /** Headers of the deliveries, with their values masked. */
    headers: {
        [key: string]: string;
    };
    /** How events are posted as arrays; null: each is posted alone, as an object. */
    batch: WebhookBatch;
    /** How the bodies are written: `1.0` as this document says, `evolution` as Evolution API writes them. */
    form: "1.0" | "evolution";
    /** Of the form `evolution`: names of its events that are delivered; empty for all. */
    formEvents: string[];
    /** Whether files of messages are in their events, as base64. */
    includeBase64: boolean;
    /** The circuit breaker of the URL, of all nodes together. null: the nodes cannot tell. */
    breaker: {
        /** closed: deliveries are sent. open: the receiver failed five times in a row and is left alone. half_open: one delivery finds out whether it answers again. */
        state: "closed" | "open" | "half_open";
        /** When it opened, in UTC; null while it is closed. */
        since: string | null;
        /** From when the next attempt is due, in UTC; null while it is closed. */
        nextAttemptAt: string | null;
    } | null;
    /** Signs the deliveries (Standard Webhooks). Only in the answer that creates the webhook. */
    secret?: string;
    /** Names in `events` that this release does not know. Nothing is delivered for them. */
    warnings?: string[];
    /** When it was made, in UTC. */
    created: string;
    /** When it last changed, in UTC. */
    updated: string;
};
export type ListWebhooksReply = Webhook[];
export type SetWebhookRequest = {
    /** Which webhook, for `update` and `delete`. */
    id?: string;
    /** Action. */
    action?: "add" | "update" | "delete";
    /** Whether events are delivered; false when left out of a new webhook. */
    enabled?: boolean;
    /** Where events are posted to: http or https. It may have a user and a password, which are stored encrypted, sent as basic authentication, and masked in answers. */
    url?: string;
    /** The kinds of events to deliver; required of a new webhook. Unknown names are kept and named in `warnings`. */
    events?: EventName[];
    /** Messages that match any of these are not delivered. */
    excludeMessages?: MessageFilter[];
    /** Append the kind of event to the URL. */
    addUrlEvents?: boolean;
    /** Append the type of message to the URL. */
    addUrlTypesMessages?: boolean;
    /** Put `ai_metadata` into messages that agents sent. It holds the prompt, with what the agent knows, and the answer of the model; false when left out of a new webhook. */
    includeAiMetadata?: boolean;
    /** Put the token of the instance into each event, as `token`. Who reads an event can then act for the account. Refused unless the operator sets `WEBHOOK_TOKEN`; an instance whose token is older than that setting needs a new one first. False when left out of a new webhook. */
    includeToken?: boolean;
    /** Headers of the deliveries, such as a key of the receiver. They are stored encrypted, and answers mask their values (`***`); a value in that form stays as it is. Left out, they stay, unless `url` names another scheme, host or port. */
    headers?: {
        [key: string]: string;
    };
    /** Post events as arrays. null takes it away. */
    batch?: WebhookBatch;
    /** How the bodies are written: `1.0` as this document says, `evolution` as Evolution API writes them (docs/guides/evolution-drop-in.md); `1.0` when left out of a new webhook. */
    form?: "1.0" | "evolution";
    /** Of the form `evolution`: names of its events, such as `MESSAGES_UPSERT`. Empty or left out of a new webhook: all that `events` gives. */
    formEvents?: ("MESSAGES_UPSERT" | "SEND_MESSAGE" | "MESSAGES_UPDATE" | "MESSAGES_EDITED" | "MESSAGES_DELETE" | "MESSAGES_SET" | "CONNECTION_UPDATE" | "QRCODE_UPDATED" | "STATUS_INSTANCE" | "LOGOUT_INSTANCE" | "CONTACTS_UPSERT" | "CONTACTS_UPDATE" | "CHATS_UPSERT" | "CHATS_UPDATE" | "PRESENCE_UPDATE" | "GROUPS_UPSERT" | "GROUP_UPDATE" | "GROUP_PARTICIPANTS_UPDATE" | "LABELS_EDIT" | "LABELS_ASSOCIATION" | "CALL" | "APPLICATION_STARTUP" | "INSTANCE_CREATE" | "INSTANCE_DELETE" | "REMOVE_INSTANCE" | "SEND_MESSAGE_UPDATE" | "CONTACTS_SET" | "CHATS_SET" | "CHATS_DELETE" | "TYPEBOT_START" | "TYPEBOT_CHANGE_STATUS" | "NEW_TOKEN")[];
    /** Of the form `evolution`: put the file of a message into its event, as base64; false when left out of a new webhook. */
    includeBase64?: boolean;
    /** Signs the deliveries: `whsec_` and base64 of 24 to 64 bytes; made when left out. */
    secret?: string;
};
export type SetWebhookReply = Webhook[];
export type WebhookFailure = {
    /** When, in UTC. */
    created: string;
    /** The webhook. */
    webhook_id?: string;
    /** Where it was posted to. */
    url: string;
    /** Whose webhook: of the instance, or of all. */
    "type": "local" | "global";
    /** The kind of event. */
    event: string;
    /** The type of message, when the event is about one. */
    message_type?: string;
    /** Status that the receiver answered; null or 0 if it did not answer. */
    status_code?: number | null;
    /** How often it was tried. */
    attempts: number;
    /** Reason of the failure. */
    error: string;
    /** Why it failed; empty when it did not. `status`: the receiver answered, with `status_code`; `redirect`: it redirects to where it is not followed; `timeout`: no complete answer in time; `dns`: its name was not resolved; `address`: its address is not allowed; `connect`: no connection; `tls`: encryption, such as a certificate; `closed`: the connection broke, or what came was not HTTP; `too_old`: it was given up by its age; `blocked`: it blocked the gateway, twice; `other`: see `error`. */
    code: "" | "status" | "redirect" | "timeout" | "dns" | "address" | "connect" | "tls" | "closed" | "too_old" | "blocked" | "other";
    /** The body that was posted. */
    payload?: unknown;
};
export type WebhookErrorsReply = WebhookFailure[];
export type EventKind = "connection" | "history" | "messages" | "messages_update" | "call" | "contacts" | "presence" | "groups" | "labels" | "chats" | "chat_labels" | "blocks" | "leads" | "limits" | "suppressions" | "sender" | "agents" | "status" | "newsletter_messages";
export type DeadLetter = {
    /** The webhook. */
    webhook_id: string;
    /** The instance whose event it is. */
    instance_id: string;
    /** Whose webhook: of the instance, or of all. */
    "type": "local" | "global";
    /** The event; the same in the body and the header `webhook-id` of every attempt, also after a replay. */
    eventId: string;
    /** The kind of event. */
    event: string;
    /** The type of message; empty when the event is not about one. */
    message_type: string;
    /** Where the last attempt went. */
    url: string;
    /** How often it was tried. */
    attempts: number;
    /** Status of the receiver's last answer; 0 if it did not answer. */
    status_code: number;
    /** Reason of the last failure. */
    error: string;
    /** Why it failed; empty when it did not. `status`: the receiver answered, with `status_code`; `redirect`: it redirects to where it is not followed; `timeout`: no complete answer in time; `dns`: its name was not resolved; `address`: its address is not allowed; `connect`: no connection; `tls`: encryption, such as a certificate; `closed`: the connection broke, or what came was not HTTP; `too_old`: it was given up by its age; `blocked`: it blocked the gateway, twice; `other`: see `error`. */
    code: "" | "status" | "redirect" | "timeout" | "dns" | "address" | "connect" | "tls" | "closed" | "too_old" | "blocked" | "other";
    /** Time when it became a dead letter, in UTC. */
    diedAt: string;
    /** The body, as it was posted. */
    payload: object;
};
export type DeadLettersReply = {
    /** The newest events first. */
    deadletters: DeadLetter[];
    /** As asked. */
    limit: number;
    /** As asked. */
    offset: number;
    /** The offset of the next page. */
    nextOffset: number;
    /** Whether there is a next page. */
    hasMore: boolean;
    /** How many match in all; 100000 means that or more. */
    total: number;
};
export type Delivery = {
    /** Names the delivery. */
    id: string;
    /** The webhook. */
    webhook_id: string;
    /** The instance whose event it is. */
    instance_id: string;
    /** Whose webhook: of the instance, or of all. */
    "type": "local" | "global";
    /** The event; the same in the body and the header `webhook-id` of every attempt. */
    eventId: string;
    /** The kind of event. */
    event: string;
    /** Number of the event among those of its instance, as in the body. */
    sequence: number;
    /** Time of the event. */
    created: string;
    /** delivered: the receiver took it. waiting: not yet tried. failed: it is tried again at `nextAttemptAt`. dead: it was given up and can be replayed. */
    state: "delivered" | "waiting" | "failed" | "dead";
    /** Number of attempts. */
    attempts: number;
    /** Time of the next attempt, at the earliest; null when it has ended. */
    nextAttemptAt: string | null;
    /** Time when it was taken or given up; null while it waits. */
    endedAt: string | null;
    /** URL of the last attempt; null while it waits. */
    url: string | null;
    /** Status of the last answer; 0 when there was none, null when it was not yet tried. */
    status_code: number | null;
    /** Reason of the last failure; null when there was none, or when it was taken. */
    error: string | null;
    /** Why it failed; empty when it did not. `status`: the receiver answered, with `status_code`; `redirect`: it redirects to where it is not followed; `timeout`: no complete answer in time; `dns`: its name was not resolved; `address`: its address is not allowed; `connect`: no connection; `tls`: encryption, such as a certificate; `closed`: the connection broke, or what came was not HTTP; `too_old`: it was given up by its age; `blocked`: it blocked the gateway, twice; `other`: see `error`. */
    code: "" | "status" | "redirect" | "timeout" | "dns" | "address" | "connect" | "tls" | "closed" | "too_old" | "blocked" | "other";
    /** Time of the attempt that was taken; null otherwise. */
    durationMs: number | null;
};
export type DeliveriesReply = {
    /** The newest events first. A page with filters may be short although there is a next one. */
    deliveries: Delivery[];
    /** The cursor of the next page; null on the last. */
    next: string | null;
};
export type DeliveryAttempt = {
    /** Time when it had ended. */
    at: string;
    /** 1 for the first. */
    attempt: number;
    /** Where it was posted to. */
    url: string;
    /** Status of the answer; 0 when there was none. */
    status_code: number;
    /** Reason of the failure; null when it was taken. */
    error: string | null;
    /** Why it failed; empty when it did not. `status`: the receiver answered, with `status_code`; `redirect`: it redirects to where it is not followed; `timeout`: no complete answer in time; `dns`: its name was not resolved; `address`: its address is not allowed; `connect`: no connection; `tls`: encryption, such as a certificate; `closed`: the connection broke, or what came was not HTTP; `too_old`: it was given up by its age; `blocked`: it blocked the gateway, twice; `other`: see `error`. */
    code: "" | "status" | "redirect" | "timeout" | "dns" | "address" | "connect" | "tls" | "closed" | "too_old" | "blocked" | "other";
    /** Time until the answer was read or given up; null in attempts of nodes of release 0.2.0 and older. */
    durationMs: number | null;
    /** Headers of the request, the signature included, with the values of those of the webhook masked; null in attempts of nodes of release 0.2.0 and older. */
    headers: {
        [key: string]: string;
    } | {
        [key: string]: string;
    };
    /** First part of the answer's body. */
    answer: string;
};
export type DeliveryReply = {
    /** The delivery. */
    delivery: Delivery;
    /** The attempts that are kept, the oldest first: of each webhook the newest 100 that failed and the newest 100 that were taken. */
    attempts: DeliveryAttempt[];
    /** The body as it is sent, made from the event again. The signature is about exactly these characters. */
    body: string;
    /** Whether `body` is only the beginning, since it is longer than 262,144 characters. */
    bodyIsCut: boolean;
};
export type ReceiverFigures = {
    /** The webhook. */
    webhook_id: string;
    /** The oldest first. Hours without attempts have no row. */
    rows: {
        /** Its beginning, UTC. */
        at: string;
        /** Events that the receiver took. */
        delivered: number;
        /** Attempts that failed. */
        failed: number;
        /** Average duration of the calls that were taken; null without any. */
        averageSeconds: number | null;
        /** Duration of the slowest of them. */
        slowestSeconds: number | null;
    }[];
};
export type ReceiverFiguresReply = {
    /** When they were read, UTC. */
    at: string;
    /** Hours that the rows are about. */
    hours: number;
    /** Each webhook, also without attempts. */
    webhooks: ReceiverFigures[];
};
export type ReplayWebhookRequest = {
    /** Only those of this webhook; may be left out when `ids` are given, or when there is only one. */
    webhookId?: string;
    /** Only these: the `eventId` of each. */
    ids?: string[];
    /** Only events of this kind. */
    event?: EventKind;
    /** Only dead letters from this time on. */
    "from"?: string;
    /** Maximum number, the oldest events first; all when left out. */
    limit?: number;
    /** These deliveries in place of dead letters, whatever became of them: the `id` of each from the list of deliveries. All other fields must be left out. An event is sent under its `eventId` as long as it is kept, to the present address; it goes before what waits in its chat. `skipped` counts those that wait already, whose event is no longer kept, or whose kind the webhook does not take now. */
    deliveries?: string[];
};
export type ReplayWebhookReply = {
    /** Deliveries that are due again. */
    replayed: number;
    /** Those of `ids` for which there is no dead letter, and those of `deliveries` that were not put back. */
    skipped: number;
    /** Dead letters that are left. */
    remaining: number;
    /** Notes: a webhook that is disabled, fields that were ignored. */
    warnings?: string[];
};
export type TestWebhookRequest = {
    /** The webhook; may be left out when there is only one. */
    id?: string;
};
export type TestWebhookReply = {
    /** Its status. */
    statusCode: number;
    /** How long it took, in milliseconds. */
    durationMs: number;
    /** The start of its body. */
    body: string;
};
export type GetGlobalWebhookReply = Webhook;
export type SetGlobalWebhookRequest = {
    /** Whether events are delivered; false when left out of a new webhook. */
    enabled?: boolean;
    /** Where events are posted to: http or https. It may have a user and a password, which are stored encrypted, sent as basic authentication, and masked in answers. */
    url: string;
    /** The kinds of events to deliver; required of a new webhook. Unknown names are kept and named in `warnings`. */
    events: EventName[];
    /** Messages that match any of these are not delivered. */
    excludeMessages?: MessageFilter[];
    /** Append the kind of event to the URL. */
    addUrlEvents?: boolean;
    /** Append the type of message to the URL. */
    addUrlTypesMessages?: boolean;
    /** Put `ai_metadata` into messages that agents sent. It holds the prompt, with what the agent knows, and the answer of the model; false when left out of a new webhook. */
    includeAiMetadata?: boolean;
    /** Put the token of the instance into each event, as `token`. Who reads an event can then act for the account. Refused unless the operator sets `WEBHOOK_TOKEN`; an instance whose token is older than that setting needs a new one first. False when left out of a new webhook. */
    includeToken?: boolean;
    /** Headers of the deliveries, such as a key of the receiver. They are stored encrypted, and answers mask their values (`***`); a value in that form stays as it is. Left out, they stay, unless `url` names another scheme, host or port. */
    headers?: {
        [key: string]: string;
    };
    /** Post events as arrays. null takes it away. */
    batch?: WebhookBatch;
    /** Signs the deliveries: `whsec_` and base64 of 24 to 64 bytes; made when left out. */
    secret?: string;
};
export type SetGlobalWebhookReply = Webhook;
export type GlobalWebhookErrorsReply = WebhookFailure[];
export type GlobalDeadLettersReply = {
    /** The newest events first. */
    deadletters: DeadLetter[];
    /** As asked. */
    limit: number;
    /** As asked. */
    offset: number;
    /** The offset of the next page. */
    nextOffset: number;
    /** Whether there is a next page. */
    hasMore: boolean;
    /** How many match in all; 100000 means that or more. */
    total: number;
};
export type GlobalDeliveriesReply = {
    /** The newest events first. A page with filters may be short although there is a next one. */
    deliveries: Delivery[];
    /** The cursor of the next page; null on the last. */
    next: string | null;
};
export type GlobalDeliveryReply = {
    /** The delivery. */
    delivery: Delivery;
    /** The attempts that are kept, the oldest first: of each webhook the newest 100 that failed and the newest 100 that were taken. */
    attempts: DeliveryAttempt[];
    /** The body as it is sent, made from the event again. The signature is about exactly these characters. */
    body: string;
    /** Whether `body` is only the beginning, since it is longer than 262,144 characters. */
    bodyIsCut: boolean;
};
export type GlobalReceiverFiguresReply = {
    /** When they were read, UTC. */
    at: string;
    /** Hours that the rows are about. */
    hours: number;
    /** Each webhook, also without attempts. */
    webhooks: ReceiverFigures[];
};
export type ReplayGlobalWebhookRequest = {
    /** Only these: the `eventId` of each. */
    ids?: string[];
    /** Only events of this kind. */
    event?: EventKind;
    /** Only dead letters from this time on. */
    "from"?: string;
    /** Maximum number, the oldest events first; all when left out. */
    limit?: number;
    /** These deliveries in place of dead letters, whatever became of them: the `id` of each from the list of deliveries. All other fields must be left out. An event is sent under its `eventId` as long as it is kept, to the present address; it goes before what waits in its chat. `skipped` counts those that wait already, whose event is no longer kept, or whose kind the webhook does not take now. */
    deliveries?: string[];
};
export type ReplayGlobalWebhookReply = {
    /** Deliveries that are due again. */
    replayed: number;
    /** Those of `ids` for which there is no dead letter, and those of `deliveries` that were not put back. */
    skipped: number;
    /** Dead letters that are left. */
    remaining: number;
    /** Notes: a webhook that is disabled, fields that were ignored. */
    warnings?: string[];
};
export type TestGlobalWebhookRequest = {};
export type TestGlobalWebhookReply = TestWebhookReply;
export type ChatwootConfigReply = {
    /** Whether messages are carried. */
    chatwoot_enabled: boolean;
    /** Address of Chatwoot. */
    chatwoot_url: string;
    /** Number of the account; 0 without settings. */
    chatwoot_account_id: number;
    /** Number of the inbox; 0 without settings. */
    chatwoot_inbox_id: number;
    /** Mask of the token: its last four characters. */
    chatwoot_access_token: string;
    /** Whether groups are left out. */
    chatwoot_ignore_groups: boolean;
    /** Whether replies begin with the name of the agent. */
    chatwoot_sign_messages: boolean;
    /** Whether a message after the end of a conversation begins a new one. */
    chatwoot_create_new_conversation: boolean;
    /** Address that the webhook of the inbox must have. It holds a secret. */
    chatwoot_inbox_webhook_url?: string;
    /** Whether webhooks of the inbox must carry a signature. */
    signed?: boolean;
    /** What fails at Chatwoot: `ok`: nothing; `auth_failed`: the token is not accepted; `inbox_gone`: the inbox or account is gone; `unreachable`: no answer, or one of something that stands before it, such as a page of a proxy; `busy`: too many calls or messages for now; `refused`: it refuses a message. */
    state?: "ok" | "auth_failed" | "inbox_gone" | "unreachable" | "busy" | "refused";
    /** Sentence of the last failure; empty when there is none. */
    last_error?: string;
    /** Time of the last message to Chatwoot, in UTC; empty for none. */
    last_sent?: string;
    /** Time of the last reply that was sent, in UTC; empty for none. */
    last_received?: string;
    /** Replies of agents that wait to be sent. */
    replies_waiting?: number;
    /** Replies of agents that failed, and can be asked for again in Chatwoot. */
    replies_failed?: number;
    /** Replies that were found too late to be sent, since the settings were made. */
    replies_missed?: number;
    /** Id under which `/webhook/deliveries`, `/webhook/deadletters` and `/webhook/replay` know what waits for Chatwoot; empty without settings. */
    webhook_id?: string;
};
export type SetChatwootRequest = {
    /** Whether messages are carried from now on. */
    enabled: boolean;
    /** Address of Chatwoot: http or https. */
    url: string;
    /** Access token of a Chatwoot user, preferably an administrator. The mask of the present token leaves it as it is. */
    access_token: string;
    /** Number of the account. */
    account_id: number;
    /** Number of an inbox with the type API. Left out: the inbox has the name `inbox_name`. */
    inbox_id?: number;
    /** Name of an inbox with the type API, in place of its number. One that another instance here has is refused. */
    inbox_name?: string;
    /** Make the inbox if no inbox has the name `inbox_name`; needs the token of an administrator. False when left out. */
    create_inbox?: boolean;
    /** Leave groups out. False when left out. */
    ignore_groups?: boolean;
    /** Begin replies with the name of the agent. False when left out. */
    sign_messages?: boolean;
    /** Begin a new conversation with the first message after the end of one. False when left out: the conversation is opened again. */
    create_new_conversation?: boolean;
    /** Take another address, account or inbox, or a Chatwoot that started again at the same address, although conversations are linked. The links are forgotten, and replies that wait. */
    relink?: boolean;
};
export type SetChatwootReply = {
    /** A sentence. */
    message: string;
    /** Address that the webhook of the inbox must have. It holds a secret. */
    chatwoot_inbox_webhook_url: string;
    /** What to do by hand, or to look at. */
    warnings?: string[];
};
export type ListEventsReply = {
    /** The events, as webhooks get them. */
    events: {
        [key: string]: unknown;
    }[];
    /** `since` of the next call. */
    cursor: string;
    /** More events are stored after the cursor. A page may be short, or empty, all the same: 2,000 events are looked at in one call, and a page has up to 2 MiB. */
    hasMore: boolean;
    /** Events are missing between `since` and the first of this page: read anew what they would have told. null: none are. */
    reset: {
        /** `expired`: they were deleted by age (`RETENTION_DAYS`). `lost`: the store went back in time. */
        reason: "expired" | "lost";
        /** Of `lost`: beginning of the span that is missing, as far as it is known, ISO 8601. */
        lostFrom: string | null;
        /** Its end. */
        lostUntil: string | null;
    } | null;
};
export type HealthReply = {
    /** Always `ok`. */
    status: "ok";
    /** The version of the gateway. */
    version: string;
    /** For how long it has been running. */
    uptimeSeconds: number;
};
export type ReadyReply = {
    /** Whether it can serve calls. */
    ready: boolean;
    /** Why not, for operators. */
    reasons: string[];
};
export type EventEnvelope = {
    /** The address of this gateway. */
    BaseUrl?: string;
    /** The kind of event. More kinds may come: they reach the webhooks that name them, and the streams that name them or name no kinds. */
    EventType: EventKind;
    /** The id of the instance. Present only in the stream of all instances. */
    instanceId?: string;
    /** The name of the instance. */
    instanceName: string;
    /** The number of the account, in digits. */
    owner: string;
    /** Token of the instance. Present only for webhooks with `includeToken`. Verify the signature instead. */
    token?: string;
    /** The same for every delivery of one event; a receiver drops what it has already seen. */
    eventId: string;
    /** The place of the event in the log of its instance; grows with each event. */
    sequence: number;
    /** The version of the event shapes, for all kinds together: it grows when a field changes its meaning or goes. New fields and new kinds leave it as it is. */
    schemaVersion: number;
    /** When the event was written, in milliseconds since 1970. */
    timestamp?: number;
};
export type AgentsEvent = EventEnvelope & {
    /** Always `agents`. */
    EventType: "agents";
    /** The turn and the reason. */
    event: {
        /** `failed`: a turn ended without an answer of the model. `paused`: agents rest in the chat for an hour. `blocked`: the agent answers nothing until it is edited. `budget`: so much of the day's budget is used. `transferred`: an agent hands the chat to a person. */
        Action: "failed" | "paused" | "blocked" | "budget" | "transferred";
        /** JID of the chat. Absent for `budget`. */
        Chat?: string;
        /** The LID of the chat, or empty. Absent for `budget`. */
        chat_lid?: string;
        /** The turn, as in `GET /agent/turns`. */
        TurnID?: string;
        /** The agent; empty if none was chosen. */
        AgentID?: string;
        /** Reason as one word. */
        Reason?: string;
        /** Reason as a sentence; empty if there is none. */
        Error?: string;
        /** Share of the budget that is used; only of `budget`. */
        Percent?: 80 | 100;
    };
};
export type BlocksEvent = EventEnvelope & {
    /** Always `blocks`. */
    EventType: "blocks";
    /** Who, and what was done. */
    event: {
        /** The person: the JID of the number when it is known. */
        JID: string;
        /** Their LID, or empty. */
        LID: string;
        /** Their username, without `@`; empty when none is known. */
        Username?: string;
        /** Result. */
        Action: "block" | "unblock";
    };
};
export type CallEvent = EventEnvelope & {
    /** Always `call`. */
    EventType: "call";
    /** Kind of the event. */
    "type": "CallOffer" | "CallOfferNotice" | "CallAccept" | "CallReject" | "CallTerminate";
    /** State of the call. `Elsewhere`: another device of this account took or refused it. `Ended`: the caller gave up, or the call is over. */
    state: "Ringing" | "Accepted" | "Rejected" | "Timeout" | "AcceptedElsewhere" | "RejectedElsewhere" | "Ended";
    /** Which call, and who. */
    event: {
        /** Whose device caused it; this account's own when it refused, made or ended the call. */
        From: string;
        /** The number JID of who caused it, if it is known. */
        sender_pn?: string;
        /** The LID of who caused it, if it is known. */
        sender_lid?: string;
        /** Their username, without `@`; empty when none is known. */
        sender_username?: string;
        /** Kind of the address that WhatsApp used: the number or the LID. */
        AddressingMode?: "pn" | "lid";
        /** When, in seconds since 1970. */
        Timestamp: number;
        /** Caller, by number or by LID, as the caller's device claims. `From` is the owner of that device, as WhatsApp says. */
        CallCreator: string;
        /** Their other address, as that device says; nothing is known by it. */
        CallCreatorAlt?: string;
        /** The call; `/call/reject` takes it as `id`. */
        CallID: string;
        /** The group that is called; empty else. */
        GroupJID?: string;
        /** Whether a group is called. */
        IsGroup?: boolean;
        /** Whether this happened while the instance was not connected, so that WhatsApp reported it later. A late `CallOffer` no longer rings. */
        IsLate?: boolean;
        /** Set and true for a call that this account makes (`/call/make`). */
        IsOutgoing?: boolean;
        /** The person whom this account calls, by number or else by LID; only with `IsOutgoing`. */
        To?: string;
        /** Whether it is a video call; only at its begin. */
        IsVideo?: boolean;
        /** Why it ended, in WhatsApp's word. */
        Reason?: string;
        /** The caller's platform. */
        RemotePlatform?: string;
        /** The caller's version. */
        RemoteVersion?: string;
        /** Contents of WhatsApp's stanza. */
        Data?: {
            /** Its name. */
            Tag?: string;
            /** Its attributes. */
            Attrs?: {
                [key: string]: string;
            };
        };
    };
};
export type ChatLabelsEvent = EventEnvelope & {
    /** Always `chat_labels`. */
    EventType: "chat_labels";
    /** The chat as it is now. */
    chat: Chat;
};
export type ChatsEvent = EventEnvelope & {
    /** Always `chats`. */
    EventType: "chats";
    /** The chat as it is now. */
    chat: Chat;
};
export type ConnectionEvent = EventEnvelope & {
    /** Always `connection`. */
    EventType: "connection";
    /** Why the session ended: `LoggedOut`. */
    "type"?: string;
    /** The instance as it is now. */
    instance: {
        /** Its name. */
        name?: string;
        /** Its status. */
        status: "disconnected" | "connecting" | "connected";
        /** The QR code to scan, as a data URL. */
        qrcode?: string;
        /** The text in the QR code. */
        qrcodeText?: string;
        /** The pairing code. */
        paircode?: string;
        /** When the connection ended, in UTC. */
        lastDisconnect?: string;
        /** Why it ended. */
        lastDisconnectReason?: string;
        /** The step of a pairing for which WhatsApp asks for a passkey. Absent without one. */
        passkey?: Passkey;
        /** The state behind the status: `disconnected`, `pairing`, `opening`, `connected`, `waiting`, or the step of a pairing with a passkey; there may be others. */
        state?: string;
        /** Cause of the last end of the connection, one word; null while connected. */
        cause?: string | null;
        /** Number of attempts since the last connection that lasted. */
        attempt?: number;
        /** Time of the next attempt, UTC; null unless the state is `waiting`. */
        nextAttemptAt?: string | null;
        /** Time at which another QR code replaces this one, UTC; null without one. */
        qrEndsAt?: string | null;
        /** Time at which the pairing, or its present step with a passkey, ends, UTC; null without one. */
        pairingEndsAt?: string | null;
    };
};
export type ContactsEvent = EventEnvelope & {
    /** Always `contacts`. */
    EventType: "contacts";
    /** The contact in the names of WhatsApp. */
    event: {
        /** Its JID. */
        JID: string;
        /** Its LID; empty when it is not known. */
        LID?: string;
        /** The name as saved; empty when it is not in the address book. */
        FullName?: string;
        /** The first name as saved. */
        FirstName?: string;
        /** As the person calls themselves. */
        PushName?: string;
        /** Their username, without `@`; empty when none is known. */
        Username?: string;
    };
    /** The contact as `/contacts` lists it. */
    contact: {
        /** Its JID. */
        jid: string;
        /** The name as saved; empty when it is not in the address book. */
        contact_name?: string;
        /** The first name as saved. */
        contact_FirstName?: string;
        /** Its LID, or empty. */
        lid?: string;
        /** As the person calls themselves. */
        push_name?: string;
        /** Their username, without `@`; empty when none is known. */
        username?: string;
    };
};
export type GroupsEvent = EventEnvelope & {
    /** Always `groups`. */
    EventType: "groups";
    /** Kind of the change. */
    event: {
        /** The group. */
        JID: string;
        /** Person who made the change; empty if unknown. */
        Sender?: string;
        /** Their number's JID, when known. */
        sender_pn?: string;
        /** Their LID, when known. */
        sender_lid?: string;
        /** Their username, without `@`; empty when none is known. */
        sender_username?: string;
        /** Unix seconds. */
        Timestamp?: number;
        /** WhatsApp's words: `subject`, `description`, `announcement`, `locked`, `add`, `remove`, `promote`, … */
        Changes: string[];
        /** New members. */
        Join?: string[];
        /** Members who left or were removed. */
        Leave?: string[];
        /** Members who became admins. */
        Promote?: string[];
        /** Members who are no longer admins. */
        Demote?: string[];
        /** Everybody whom the change is about, with both addresses. */
        Members?: {
            /** As in the lists above. */
            JID: string;
            /** The JID of their number, or empty. */
            pn: string;
            /** Their LID, or empty. */
            lid: string;
            /** Their username, without `@`; empty when none is known. */
            username?: string;
        }[];
    };
    /** The group after it, when it is known: fields of the group record, without the members. */
    group?: {
        /** Its JID. */
        JID: string;
        /** Its name. */
        Name?: string;
        /** Its description. */
        Topic?: string;
        /** Whether only admins change name, picture and description. */
        IsLocked?: boolean;
        /** Whether only admins send. */
        IsAnnounce?: boolean;
        /** After how many seconds; 0 when they stay. */
        DisappearingTimer?: number;
        /** How many members it has. */
        ParticipantCount?: number;
    };
};
export type HistoryEvent = EventEnvelope & {
    /** Always `history`. */
    EventType: "history";
    /** The messages. */
    messages: Message[];
    /** Which batch, from 1. */
    batchNumber?: number;
    /** How many batches this part of the history has. */
    batchTotal?: number;
    /** Of an answer to `POST /message/history-sync`: the id of the request. */
    requestId?: string;
    /** Of such a request: `answered`, or `no_answer` when the phone did not answer within a minute. An answer that comes later is reported all the same. */
    status?: "answered" | "no_answer";
    /** Of such a request: true when the phone has nothing older of the chat. */
    isComplete?: boolean;
    /** How much of the whole history has come, in percent, when WhatsApp tells. */
    progress?: number;
};
export type LabelsEvent = EventEnvelope & {
    /** Always `labels`. */
    EventType: "labels";
    /** The label as it is now. */
    label: {
        /** Its id. */
        id: string;
        /** Its id. */
        labelid: string;
        /** Its name. */
        name: string;
        /** Of WhatsApp's palette, 0 to 19. */
        color: number;
        /** Whether it is gone. */
        deleted: boolean;
    };
};
export type LeadsEvent = EventEnvelope & {
    /** Always `leads`. */
    EventType: "leads";
    /** The chat as it is now. */
    chat: Chat;
};
export type LimitsEvent = EventEnvelope & {
    /** Always `limits`. */
    EventType: "limits";
    /** The restriction, and all restrictions after the change. */
    event: {
        /** The restriction that changed. The gateway holds back sends by itself after refusals in a row of people who never wrote (`new_chat_refusals`), when the new chats of the day are used up (`new_chat_budget`), and after a refusal for the rate (`rate_limit`). */
        restriction: "reachout_timelock" | "new_chat_message_capping" | "new_chat_refusals" | "new_chat_budget" | "rate_limit";
        /** `began`, `changed` or `ended`. A warning of the quota is a stage of it. */
        change: "began" | "changed" | "ended";
        /** End of `new_chat_refusals`, `new_chat_budget` and `rate_limit`; absent for the restrictions of WhatsApp, which show theirs below. */
        until?: string | null;
        /** False while a restriction keeps the account from beginning chats. */
        can_send_new_messages: boolean;
        /** `WHATSAPP_REACHOUT_TIMELOCK`, `WHATSAPP_NEW_CHAT_MESSAGE_CAPPING`, or empty. */
        error_key: string;
        /** The restriction in words. */
        message: string;
        /** The same in Portuguese. */
        message_ptbr: string;
        /** The quota of messages to people who have not answered. */
        new_chat_message_capping: {
            /** True if WhatsApp has told of it. */
            available: boolean;
            /** True if the quota is used up: WhatsApp takes no further new chats in this cycle. */
            active: boolean;
            /** WhatsApp's word: `NONE`, `FIRST_WARNING`, `SECOND_WARNING`, `CAPPED`; it may add others. Empty when unknown. */
            status: string;
            /** Messages used in this cycle. */
            used_quota: number | null;
            /** Messages allowed in this cycle; -1: no quota. */
            total_quota: number | null;
            /** Start of the cycle. */
            cycle_start: string | null;
            /** End of the cycle. */
            cycle_end: string | null;
            /** WhatsApp's word for the one-time extension. */
            ote_status: string;
            /** WhatsApp's word for a verified account. */
            mv_status: string;
        };
        /** The lock that keeps the account from beginning chats. */
        reachout_timelock: {
            /** True if WhatsApp has told of it. */
            available: boolean;
            /** True while the lock holds, whatever its kind. */
            active: boolean;
            /** End of the lock; null when there is none, or when WhatsApp gave no time. */
            until: string | null;
            /** WhatsApp's word for the kind of the lock, also one that is not known here. */
            enforcement_type: string;
        };
    };
};
export type MessagesUpdateEvent = EventEnvelope & {
    /** Always `messages_update`. */
    EventType: "messages_update";
    /** Kind of the update: `ReadReceipt`, `Status`, `Edited`, `Deleted`, `PollVote`, `HighDefinition` (the file of the message was replaced by a better one), `Pinned`, `Unpinned`, `Starred`, `Unstarred`, `Fallback`, `Note`, `Unreadable`. */
    "type": string;
    /** The new state, such as `Scheduled`, `Rescheduled`, `Canceled`, `Queued`, `Sent`, `Failed`, `Delivered`, `Read`, `Played`, `Edited`, `Deleted`, `Voted`, `Pinned`, `Unpinned`, `Starred`, `Unstarred`, `FileReplaced`, `Noted`, `Waiting`, `Unavailable`. */
    state?: string;
    /** Which messages, and by whom. */
    event: {
        /** The ids of the messages at WhatsApp. */
        MessageIDs: string[];
        /** The chat, as `chatid` of the message names it: the JID of the number when it is known. */
        Chat?: string;
        /** The LID of the chat, or empty. */
        chat_lid?: string;
        /** Person who caused it. */
        Sender?: string;
        /** The number JID of who caused it. */
        sender_pn?: string;
        /** The LID of who caused it. */
        sender_lid?: string;
        /** Their username, without `@`; empty when none is known, and for the account itself. */
        sender_username?: string;
        /** Whether this account caused it. */
        IsFromMe?: boolean;
        /** Whether it is in a group. */
        IsGroup?: boolean;
        /** The name of the group; empty in other chats, and while it is not known. */
        groupName?: string;
        /** When, in seconds since 1970. */
        Timestamp?: number;
        /** The kind of receipt. */
        Type?: string;
        /** New text of an edited message, or the text that was sent in place of a menu. */
        Text?: string;
        /** Of a pinned message: until when, in milliseconds since 1970. */
        PinnedUntil?: number;
        /** Of a note: the id of its record, whose `messageType` is `note`. `MessageIDs` names the message that it is about, which may be unknown; the message is unchanged. If it comes later, the change is applied then, and reported as `Edited`. */
        NoteID?: string;
        /** Of a note: kind of the change: `edit`, `poll_edit`, `poll_option`, `event_edit`, `schedule`, `reaction`, `comment`, `event_response`, `other`. */
        Kind?: string;
        /** Of a note: why the change was not applied: `original_missing`, `secret_missing`, `undecryptable`, `too_late` (made 20 minutes after the message, or later), `wrong_author`, `unsupported`. */
        Reason?: string;
        /** Of a poll to which somebody added an option: all its options. */
        Options?: string[];
        /** Result of a poll: each option, in the order of the poll. */
        Votes?: {
            /** Its text. */
            Option: string;
            /** How many take it. */
            Count: number;
            /** Voters: the JID of each number, or the LID. */
            Voters: string[];
        }[];
        /** Of a scheduled message: its time in UTC. */
        send_at?: string;
        /** Of a scheduled message: the id of the caller's own. */
        track_id?: string;
        /** Why a message failed that could not leave: `expired`, `other_account`. Of `Unreadable`: why its content has not come (`phone_only`, `undecryptable`, `unmarked`), or will not come (`no_answer`, `not_on_phone`, `no_message`). */
        reason?: string;
    };
};
export type MessagesEvent = EventEnvelope & {
    /** Always `messages`. */
    EventType: "messages";
    /** The chat, with the message counted in. */
    chat: Chat;
    /** Always `updated`. */
    chatSource?: string;
    /** The message. */
    message: Message;
};
export type NewsletterMessagesEvent = EventEnvelope & {
    /** Always `newsletter_messages`. */
    EventType: "newsletter_messages";
    /** The channel as a chat, with the post counted in. Only of a new post. */
    chat?: Chat;
    /** Always `updated`. */
    chatSource?: string;
    /** The new post. */
    message?: Message;
    /** Number of the new post in its channel; absent if WhatsApp has not given it yet. */
    serverid?: number;
    /** Kind of a change: `Edited`, `Deleted`, `Status`, `Counts`, or another one of `messages_update`. */
    "type"?: string;
    /** The new state, as in `messages_update`. */
    state?: string;
    /** Status of the changed post. */
    status?: string;
    /** Ids of the records of the changed posts. */
    ids?: string[];
    /** The change. */
    event?: {
        /** JID of the channel. */
        Chat?: string;
        /** Ids of the changed posts at WhatsApp. */
        MessageIDs?: string[];
        /** The text after an edit. */
        Text?: string;
        /** Views and reactions as they are now, of `Counts`. */
        Posts?: {
            /** Number of the post. */
            serverid: number;
            /** Views; null if WhatsApp does not say. */
            viewsCount: number | null;
            /** How often each emoji was given. */
            reactionCounts: {
                [key: string]: number;
            };
        }[];
    };
};
export type PresenceEvent = EventEnvelope & {
    /** Always `presence`. */
    EventType: "presence";
    /** The kind of presence. */
    "type"?: string;
    /** Who, where and what. */
    event: {
        /** The chat: the JID of the number when it is known. */
        Chat?: string;
        /** The LID of the chat, or empty. */
        chat_lid?: string;
        /** Who: the JID of the number when it is known. */
        Sender?: string;
        /** The JID of their number, or empty. */
        sender_pn?: string;
        /** Their LID, or empty. */
        sender_lid?: string;
        /** Their username, without `@`; empty when none is known. */
        sender_username?: string;
        /** Present activity. */
        State?: "available" | "unavailable" | "composing" | "recording" | "paused";
        /** Whether they went away. */
        Unavailable?: boolean;
        /** When they were last seen. */
        LastSeen?: number | string | null;
    };
};
export type SenderEvent = EventEnvelope & {
    /** Always `sender`. */
    EventType: "sender";
    /** Id of the campaign. */
    folder_id: string;
    /** Name. */
    folder: string;
    /** State. `deleting` ends by itself. */
    status: "scheduled" | "sending" | "paused" | "done" | "deleting";
    /** Why it cannot send now although it is not paused; it continues on its own. Null otherwise. */
    hold: {
        /** `window`; `daily_cap`; `node_busy`: its messages leave late, because the campaigns of the node want more than it can do; `rate_limit`: WhatsApp has refused too many messages; `reachout_timelock`, `new_chat_message_capping`, `new_chat_refusals`, `new_chat_budget`: only people who never wrote wait; `refused`, `chat_busy`, `behind`: only such recipients are left. */
        reason: string;
        /** End, if it is known. */
        until: string | null;
    } | null;
    /** Why it is paused: `asked`, `logged_out`, `banned`, `other_account`, `error_rate`, `file_gone`; empty otherwise. */
    reason?: string;
    /** Sent. */
    sentCount: number;
    /** Delivered; those that were read count too. */
    delivered: number;
    /** Read. */
    read: number;
    /** Played. */
    played: number;
    /** People who wrote within seven days after their message. */
    replied: number;
    /** Failed. */
    failed: number;
    /** Left out. */
    skipped: number;
    /** Put off for a while. */
    parked: number;
    /** Messages of the campaign. */
    messageCount: number;
    /** Messages that leave in a minute, by the delays of the campaign; 0 if it has none. */
    ratePerMinute: number;
    /** Time that the rest takes at that rate, in milliseconds; null if it is not known. */
    etaMs: number | null;
};
export type StatusEvent = EventEnvelope & {
    /** Always `status`. */
    EventType: "status";
    /** The chat of all status posts, with the post counted in. */
    chat: Chat;
    /** Always `updated`. */
    chatSource?: string;
    /** The post; `sender` is its author. */
    message: Message;
};
export type SuppressionsEvent = EventEnvelope & {
    /** Always `suppressions`. */
    EventType: "suppressions";
    /** The person and the message. */
    event: {
        /** The person. */
        JID: string;
        /** Their LID, when it is known. */
        LID: string;
        /** Result. */
        Action: "opted_out";
        /** The word of the list that the message is. */
        Word: string;
        /** `messageid` of the message. */
        MessageID: string;
    };
};
/** Any event, told apart by `EventType`. Newer gateways may send more kinds: let a `switch` have a default. */
export type PosthornEvent = AgentsEvent | BlocksEvent | CallEvent | ChatLabelsEvent | ChatsEvent | ConnectionEvent | ContactsEvent | GroupsEvent | HistoryEvent | LabelsEvent | LeadsEvent | LimitsEvent | MessagesUpdateEvent | MessagesEvent | NewsletterMessagesEvent | PresenceEvent | SenderEvent | StatusEvent | SuppressionsEvent

/** Kinds of events that this version knows. */
export const eventKinds = ["connection","history","messages","messages_update","call","contacts","presence","groups","labels","chats","chat_labels","blocks","leads","limits","suppressions","sender","agents","status","newsletter_messages"] as const satisfies readonly EventKind[]

/** Next step after each error (`docs/reference/errors.md` of the gateway). */
export const errorRetries = {
    "INVALID_REQUEST": "never",
    "MALFORMED_JSON": "never",
    "FORBIDDEN_KEY": "never",
    "MISSING_ID": "never",
    "INVALID_EMOJI": "never",
    "NOT_OWN_MESSAGE": "never",
    "NOT_EDITABLE": "never",
    "MESSAGE_ID_USED": "never",
    "MESSAGE_NOT_SENT": "later",
    "OWN_MESSAGE": "never",
    "MESSAGE_TOO_OLD": "never",
    "NOT_A_BUSINESS": "never",
    "PRODUCT_NOT_FOUND": "never",
    "NO_RECIPIENTS": "never",
    "INVALID_NUMBER": "never",
    "NOT_ON_NETWORK": "never",
    "USERNAME_KEY_NEEDED": "never",
    "INVALID_TOKEN": "never",
    "INVALID_ADMIN_TOKEN": "never",
    "KEY_NOT_ENOUGH": "never",
    "KEY_OTHER_CHAT": "never",
    "ORIGIN_NOT_ALLOWED": "never",
    "CONFIRMATION_NEEDED": "never",
    "KEY_NOT_FOUND": "never",
    "PASS_NOT_ENOUGH": "never",
    "PASS_NOT_FOUND": "never",
    "TOO_MANY_PASSES": "later",
    "TOO_MANY_KEYS": "never",
    "RECORD_LIMIT": "never",
    "NOT_FOUND": "never",
    "ROUTE_NOT_FOUND": "never",
    "METHOD_NOT_ALLOWED": "never",
    "INSTANCE_NOT_FOUND": "never",
    "MESSAGE_NOT_FOUND": "never",
    "CHAT_NOT_FOUND": "never",
    "LID_NOT_FOUND": "later",
    "LABEL_NOT_FOUND": "never",
    "FUNCTION_NOT_FOUND": "never",
    "QUICK_REPLY_NOT_FOUND": "never",
    "QUICK_REPLY_OF_PHONE": "never",
    "AGENT_NOT_FOUND": "never",
    "AGENT_IN_USE": "never",
    "TRIGGER_NOT_FOUND": "never",
    "TURN_NOT_FOUND": "never",
    "TURN_NOT_RETRYABLE": "never",
    "KNOWLEDGE_NOT_FOUND": "never",
    "NAME_TAKEN": "never",
    "GROUP_NOT_FOUND": "never",
    "NOT_GROUP_ADMIN": "never",
    "CHANNEL_NOT_FOUND": "never",
    "NOT_CHANNEL_FOLLOWER": "never",
    "NOT_CHANNEL_ADMIN": "never",
    "CHANNELS_WATCHED_FULL": "later",
    "CHANNEL_REFUSED": "never",
    "INVALID_INVITE": "never",
    "GROUP_REFUSED": "never",
    "JOB_NOT_FOUND": "never",
    "SELECTION_CHANGED": "never",
    "TOO_MANY_JOBS": "later",
    "NODE_NOT_FOUND": "never",
    "DELIVERY_NOT_FOUND": "never",
    "TOKEN_NOT_KEPT": "never",
    "WEBHOOK_NOT_FOUND": "never",
    "INSTANCE_NOT_CONNECTED": "later",
    "INSTANCE_CONNECTED": "never",
    "ACCOUNT_UNAVAILABLE": "never",
    "PROFILE_NAME_UNKNOWN": "later",
    "PASSKEY_NOT_AWAITED": "never",
    "INSTANCE_NOT_PAIRED": "never",
    "INSTANCE_EXPORTED": "never",
    "INSTANCE_EXISTS": "never",
    "ACCOUNT_EXISTS": "never",
    "INVALID_SESSION": "never",
    "INVALID_EXPORT": "never",
    "SENDS_WAITING": "later",
    "INSTANCE_LIMIT": "later",
    "PAIRING_LIMIT": "later",
    "RATE_LIMITED": "later",
    "CAMPAIGN_EXISTS": "later",
    "CAMPAIGN_NOT_FOUND": "never",
    "CAMPAIGN_ENDED": "never",
    "CAMPAIGN_OTHER_ACCOUNT": "later",
    "IMPORT_RUNNING": "later",
    "CAMPAIGNS_FULL": "later",
    "QUEUE_FULL": "later",
    "SCHEDULE_FULL": "later",
    "SCHEDULE_TAKEN": "never",
    "SCHEDULE_CHANGED": "never",
    "QUEUE_BUSY": "later",
    "IDEMPOTENCY_CONFLICT": "never",
    "BODY_TOO_LARGE": "never",
    "HEADERS_TOO_LARGE": "never",
    "MALFORMED_HTTP": "never",
    "REQUEST_TIMEOUT": "safe",
    "UNSUPPORTED_MEDIA_TYPE": "never",
    "CHATWOOT_REFUSED": "never",
    "CHATWOOT_UNREACHABLE": "later",
    "CHATWOOT_LINKED": "never",
    "CHATWOOT_WEBHOOK_REFUSED": "never",
    "CHATWOOT_OFF": "never",
    "URL_NOT_ALLOWED": "never",
    "FETCH_FAILED": "later",
    "MEDIA_NOT_FOUND": "never",
    "MEDIA_LINK_ENDED": "never",
    "MEDIA_TOO_LARGE": "never",
    "TRANSCRIPTION_REFUSED": "never",
    "TRANSCRIPTION_UNAVAILABLE": "later",
    "MEDIA_TYPE_REFUSED": "never",
    "NOT_SUPPORTED": "never",
    "CONVERSION_UNAVAILABLE": "never",
    "MEDIA_REFUSED": "never",
    "MEDIA_UPLOAD_FAILED": "later",
    "MEDIA_EXPIRED": "later",
    "MEDIA_UNAVAILABLE": "later",
    "MEDIA_FILE_GONE": "never",
    "MEDIA_STORAGE_UNAVAILABLE": "safe",
    "PAIRING_FAILED": "later",
    "NETWORK_UNREACHABLE": "later",
    "PROXY_FAILED": "later",
    "NOT_LOGGED_IN": "safe",
    "SEND_REFUSED": "never",
    "SEND_FAILED": "never",
    "MISSING_CALL_ID": "never",
    "CALL_RUNNING": "later",
    "CALL_REJECT_FAILED": "safe",
    "CHANGE_FAILED": "later",
    "NETWORK_REFUSED": "later",
    "KEYS_MISSING": "later",
    "HISTORY_RUNNING": "later",
    "OUTCOME_UNKNOWN": "check",
    "INSTANCE_MOVING": "safe",
    "STORE_UNAVAILABLE": "safe",
    "NOT_OWNER": "safe",
    "NODE_BUSY": "safe",
    "NODE_FAILED": "check",
    "INTERNAL": "check"
} as const

/** Codes of errors that this version knows. */
export type ErrorCode = keyof typeof errorRetries

/** One method for each operation. It resolves with the answer, or throws a `PosthornError`. */
export abstract class Operations {
    protected readonly http: Transport

    constructor(http: Transport) {
        this.http = http
    }

    /**
     * Make an instance
     */
    initInstance(createInstanceRequest: CreateInstanceRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/init", this.http.json({
            ...opts,
            method: "POST",
            body: createInstanceRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Make an instance (newer name)
     */
    createInstance(createInstanceRequest: CreateInstanceRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/create", this.http.json({
            ...opts,
            method: "POST",
            body: createInstanceRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List all instances
     */
    listInstances(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AllInstancesReply;
        }>("/instance/all", {
            ...opts
        }));
    }
    /**
     * Search the instances, page by page, with their numbers by status
     */
    findInstances(findInstancesRequest?: FindInstancesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FindInstancesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/find", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: findInstancesRequest
        })));
    }
    /**
     * Write the notes of the administrator about an instance
     */
    updateAdminFields(updateAdminFieldsRequest: UpdateAdminFieldsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateAdminFieldsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateAdminFields", this.http.json({
            ...opts,
            method: "POST",
            body: updateAdminFieldsRequest
        })));
    }
    /**
     * Set, add or remove tags of an instance
     */
    updateTags(updateTagsRequest: UpdateTagsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateTagsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateTags", this.http.json({
            ...opts,
            method: "POST",
            body: updateTagsRequest
        })));
    }
    /**
     * Connect the instance; when it is not paired, answers with a QR code, or with a pairing code for a `phone`
     */
    connectInstance(connectRequest?: ConnectRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ConnectReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/connect", this.http.json({
            ...opts,
            method: "POST",
            body: connectRequest
        })));
    }
    /**
     * Show the state of the instance, with its QR or pairing code while pairing
     */
    showStatus(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: StatusReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/status", {
            ...opts
        }));
    }
    /**
     * Show the health of an instance
     */
    showHealth(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: InstanceHealthReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/health", {
            ...opts
        }));
    }
    /**
     * List the changes of an instance's connection, newest first
     */
    listConnectionHistory({ limit }: {
        limit?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ConnectionHistoryReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/instance/connections${QS.query(QS.explode({
            limit
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the instance's calls of the API in the last day, newest first
     */
    listRequests({ limit, before, operation, key, failed, dashboard }: {
        limit?: number;
        before?: number;
        operation?: string;
        key?: string;
        failed?: boolean;
        dashboard?: boolean;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RequestsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/instance/requests${QS.query(QS.explode({
            limit,
            before,
            operation,
            key,
            failed,
            dashboard
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show WhatsApp's restrictions of the account
     */
    showLimits(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowLimitsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/wa_messages_limits", {
            ...opts
        }));
    }
    /**
     * Show the QR code as a picture, while pairing
     */
    showQrCode(opts?: CallOptions) {
        return this.http.ok(this.http.fetchBlob<{
            status: 200;
            data: Blob;
        }>("/instance/qr.png", {
            ...opts
        }));
    }
    /**
     * Show the challenge of a pairing for which WhatsApp asks for a passkey, and what to do
     */
    showPasskey(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PasskeyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/passkey", {
            ...opts
        }));
    }
    /**
     * Send the signed challenge of a pairing with a passkey
     */
    answerPasskey(passkeyResponseRequest: PasskeyResponseRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PasskeyResponseReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/passkey/response", this.http.json({
            ...opts,
            method: "POST",
            body: passkeyResponseRequest
        })));
    }
    /**
     * Confirm that the phone shows the same code, in a pairing with a passkey
     */
    confirmPasskey(passkeyConfirmRequest?: PasskeyConfirmRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PasskeyConfirmReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/passkey/confirm", this.http.json({
            ...opts,
            method: "POST",
            body: passkeyConfirmRequest
        })));
    }
    /**
     * Choose the presence that the account shows, now and after each login
     */
    setPresence(setPresenceRequest: SetPresenceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetPresenceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/presence", this.http.json({
            ...opts,
            method: "POST",
            body: setPresenceRequest
        })));
    }
    /**
     * Stop the instance and keep its pairing; nothing but a start connects it again
     */
    stopInstance(stopInstanceRequest?: StopInstanceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: StopInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/stop", this.http.json({
            ...opts,
            method: "POST",
            body: stopInstanceRequest
        })));
    }
    /**
     * Connect an instance that was stopped, with its pairing
     */
    startInstance(startInstanceRequest?: StartInstanceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: StartInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/start", this.http.json({
            ...opts,
            method: "POST",
            body: startInstanceRequest
        })));
    }
    /**
     * End the session of the instance; it must be paired again to connect
     */
    disconnectInstance(disconnectRequest?: DisconnectRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DisconnectReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/disconnect", this.http.json({
            ...opts,
            method: "POST",
            body: disconnectRequest
        })));
    }
    /**
     * Close the connection and open it again, with the same pairing
     */
    resetInstance(resetRequest?: ResetRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ResetReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/reset", this.http.json({
            ...opts,
            method: "POST",
            body: resetRequest
        })));
    }
    /**
     * Delete the instance with all its data
     */
    deleteInstance(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance", {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Show the proxy of the instance, without its password, and whether it is in use
     */
    showProxy(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowProxyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/proxy", {
            ...opts
        }));
    }
    /**
     * Set the proxy of the account; it is tested with a connection to WhatsApp before it is stored
     */
    setProxy(setProxyRequest?: SetProxyRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetProxyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/proxy", this.http.json({
            ...opts,
            method: "POST",
            body: setProxyRequest
        })));
    }
    /**
     * Remove the proxy of the account, which is connected without one from then on
     */
    removeProxy(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RemoveProxyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/proxy", {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Give the instance another token; its keys stay
     */
    rotateToken(rotateTokenRequest?: RotateTokenRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RotateTokenReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/token/rotate", this.http.json({
            ...opts,
            method: "POST",
            body: rotateTokenRequest
        })));
    }
    /**
     * Make a key: a token that may only read, only send, or only be used for one chat, for some time or until it is deleted
     */
    createKey(createKeyRequest: CreateKeyRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateKeyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/keys", this.http.json({
            ...opts,
            method: "POST",
            body: createKeyRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the keys of the instance, without their secrets
     */
    listKeys(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: KeysReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/keys", {
            ...opts
        }));
    }
    /**
     * Delete a key, on every node at once
     */
    deleteKey(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteKeyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/instance/keys/${encodeURIComponent(id)}`, {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Give the instance another name
     */
    updateInstanceName(updateInstanceNameRequest: UpdateInstanceNameRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateInstanceNameReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateInstanceName", this.http.json({
            ...opts,
            method: "POST",
            body: updateInstanceNameRequest
        })));
    }
    /**
     * Choose the pause between two asynchronous sends
     */
    updateDelaySettings(updateDelaySettingsRequest: UpdateDelaySettingsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateDelaySettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateDelaySettings", this.http.json({
            ...opts,
            method: "POST",
            body: updateDelaySettingsRequest
        })));
    }
    /**
     * Choose the country whose national numbers are taken
     */
    updateDefaultCountry(updateDefaultCountryRequest: UpdateDefaultCountryRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateDefaultCountryReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateDefaultCountry", this.http.json({
            ...opts,
            method: "POST",
            body: updateDefaultCountryRequest
        })));
    }
    /**
     * Give custom lead fields names
     */
    updateFieldsMap(updateFieldsMapRequest?: UpdateFieldsMapRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateFieldsMapReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updateFieldsMap", this.http.json({
            ...opts,
            method: "POST",
            body: updateFieldsMapRequest
        })));
    }
    /**
     * Show the privacy settings of the account
     */
    showPrivacy(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowPrivacyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/privacy", {
            ...opts
        }));
    }
    /**
     * Change privacy settings of the account
     */
    setPrivacy(setPrivacyRequest?: SetPrivacyRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetPrivacyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/privacy", this.http.json({
            ...opts,
            method: "POST",
            body: setPrivacyRequest
        })));
    }
    /**
     * Show the calls that the gateway rejects by itself
     */
    showCallSettings(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowCallSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/callsettings", {
            ...opts
        }));
    }
    /**
     * Choose the calls that the gateway rejects by itself
     */
    setCallSettings(setCallSettingsRequest?: SetCallSettingsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetCallSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/callsettings", this.http.json({
            ...opts,
            method: "POST",
            body: setCallSettingsRequest
        })));
    }
    /**
     * Show what the gateway reads by itself, and how much history the next pairing asks for
     */
    showReadingSettings(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReadingSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/readingsettings", {
            ...opts
        }));
    }
    /**
     * Choose what the gateway marks as read by itself, and how much history the next pairing asks for
     */
    updateReadingSettings(updateReadingSettingsRequest?: UpdateReadingSettingsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateReadingSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/readingsettings", this.http.json({
            ...opts,
            method: "POST",
            body: updateReadingSettingsRequest
        })));
    }
    /**
     * Choose whether and how agents answer
     */
    updateChatbotSettings(updateChatbotSettingsRequest?: UpdateChatbotSettingsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateChatbotSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/updatechatbotsettings", this.http.json({
            ...opts,
            method: "POST",
            body: updateChatbotSettingsRequest
        })));
    }
    /**
     * Export an instance to another installation, as an encrypted file; here it stays disconnected
     */
    exportInstance(exportInstanceRequest: ExportInstanceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchBlob<{
            status: 200;
            data: Blob;
        }>("/admin/instance/export", this.http.json({
            ...opts,
            method: "POST",
            body: exportInstanceRequest
        })));
    }
    /**
     * Import an instance that another installation exported
     */
    importInstance(importInstanceRequest: ImportInstanceRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ImportInstanceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/instance/import", this.http.json({
            ...opts,
            method: "POST",
            body: importInstanceRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Take over an account from another Baileys gateway, by the session that it has kept
     */
    importSession(importSessionRequest: ImportSessionRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ImportSessionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/instance/import-session", this.http.json({
            ...opts,
            method: "POST",
            body: importSessionRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Keep an exported instance, if nobody imported its file
     */
    cancelExport(cancelExportRequest: CancelExportRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CancelExportReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/instance/export/cancel", this.http.json({
            ...opts,
            method: "POST",
            body: cancelExportRequest
        })));
    }
    /**
     * Make another administrator's token and end all others, ADMIN_TOKEN too, on every node
     */
    rotateAdminToken(rotateAdminTokenRequest?: RotateAdminTokenRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RotateAdminTokenReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/token/rotate", this.http.json({
            ...opts,
            method: "POST",
            body: rotateAdminTokenRequest
        })));
    }
    /**
     * List the administrative calls: caller, operation and outcome
     */
    listAudit({ limit, before, subject, operation, pass, $from }: {
        limit?: number;
        before?: number;
        subject?: string;
        operation?: string;
        pass?: string;
        $from?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AuditReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/audit${QS.query(QS.explode({
            limit,
            before,
            subject,
            operation,
            pass,
            "from": $from
        }))}`, {
            ...opts
        }));
    }
    /**
     * Give an instance another token, if its token was lost
     */
    rotateInstanceToken(id: string, rotateInstanceTokenRequest?: RotateInstanceTokenRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RotateInstanceTokenReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/${encodeURIComponent(id)}/token/rotate`, this.http.json({
            ...opts,
            method: "POST",
            body: rotateInstanceTokenRequest
        })));
    }
    /**
     * Connect, start, stop, disconnect, reset, tag or delete many instances, by ids or a filter, after a dry run
     */
    changeInstances(changeInstancesRequest: ChangeInstancesRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChangeInstancesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 202;
            data: ChangeInstancesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/instances/bulk", this.http.json({
            ...opts,
            method: "POST",
            body: changeInstancesRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Show how far a change of many instances has come, with the outcome of each; without `id`, list the jobs
     */
    showJob({ id, outcome, limit, cursor }: {
        id?: string;
        outcome?: "waiting" | "begun" | "done" | "skipped" | "failed";
        limit?: number;
        cursor?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowJobReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/bulk${QS.query(QS.explode({
            id,
            outcome,
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * Cancel a change of many instances; those whose turn has not come stay as they are
     */
    cancelJob(cancelJobRequest: CancelJobRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CancelJobReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/instances/bulk/cancel", this.http.json({
            ...opts,
            method: "POST",
            body: cancelJobRequest
        })));
    }
    /**
     * Close and open again the connections of all instances, or of some, a few at a time
     */
    restartConnections(restartConnectionsRequest?: RestartConnectionsRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RestartConnectionsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 202;
            data: RestartConnectionsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/restart", this.http.json({
            ...opts,
            method: "POST",
            body: restartConnectionsRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Show the figures of the last hour of the whole installation
     */
    showFigures(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FiguresReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/figures", {
            ...opts
        }));
    }
    /**
     * Show the traffic of the last days: messages, deliveries, accounts by state and the cost of agents
     */
    showTraffic({ hours, stepMinutes, node }: {
        hours?: number;
        stepMinutes?: 5 | 15 | 30 | 60 | 180 | 360;
        node?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TrafficReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/figures/traffic${QS.query(QS.explode({
            hours,
            stepMinutes,
            node
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the nodes of the cluster
     */
    listNodes(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: NodesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/nodes", {
            ...opts
        }));
    }
    /**
     * List the shards and the nodes that own them
     */
    listShards(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShardsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/admin/shards", {
            ...opts
        }));
    }
    /**
     * Move all instances away from a node; it stays up and takes instances again after a restart
     */
    drainNode(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DrainNodeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/nodes/${encodeURIComponent(id)}/drain`, {
            ...opts,
            method: "POST"
        }));
    }
    /**
     * Show which node owns an instance
     */
    tellPlacement(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PlacementReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/${encodeURIComponent(id)}/placement`, {
            ...opts
        }));
    }
    /**
     * Start or stop recording the stanzas of an instance, without contents, keys and names, for a report
     */
    recordStanzas(id: string, recordStanzasRequest: RecordStanzasRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RecordingReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/${encodeURIComponent(id)}/recording`, this.http.json({
            ...opts,
            method: "POST",
            body: recordStanzasRequest
        })));
    }
    /**
     * Show an instance's latest recording of stanzas
     */
    showRecording(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowRecordingReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/${encodeURIComponent(id)}/recording`, {
            ...opts
        }));
    }
    /**
     * Make a pass: a token with the rights of the one in the header, which ends by itself
     */
    openPass(openPassRequest?: OpenPassRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: OpenPassReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/pass", this.http.json({
            ...opts,
            method: "POST",
            body: openPassRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Tell what the pass, token or key in the header opens, until when, and what this gateway can do
     */
    showPass(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowPassReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/pass", {
            ...opts
        }));
    }
    /**
     * End the pass in the header and those that were made with it, on every node at once
     */
    endPass(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EndPassReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/pass", {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Make a code for a link to the dashboard: POST /pass takes it once, instead of a token, and makes the pass
     */
    openPassCode(openPassCodeRequest?: OpenPassCodeRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: OpenPassCodeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/pass/code", this.http.json({
            ...opts,
            method: "POST",
            body: openPassCodeRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Make a pass with which an administrator acts on an instance, as its token would; the audit log has what it does
     */
    openInstancePass(id: string, openInstancePassRequest?: OpenInstancePassRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: OpenInstancePassReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/admin/instances/${encodeURIComponent(id)}/pass`, this.http.json({
            ...opts,
            method: "POST",
            body: openInstancePassRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Make a link for the person with the phone: it works once, shows the QR or code of this instance, and nothing else
     */
    openPairingLink(openPairingLinkRequest?: OpenPairingLinkRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: OpenPairingLinkReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/instance/pairinglink", this.http.json({
            ...opts,
            method: "POST",
            body: openPairingLinkRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the passes of the instance, or all for the administrator, without what opens anything
     */
    listPasses({ instance, limit, cursor }: {
        instance?: string;
        limit?: number;
        cursor?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PassesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/passes${QS.query(QS.explode({
            instance,
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * End a pass of the instance, or any for the administrator, and those that were made with it, on every node at once
     */
    endListedPass(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EndListedPassReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/passes/${encodeURIComponent(id)}`, {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Change the name that others see
     */
    setProfileName(setProfileNameRequest: SetProfileNameRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetProfileNameReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/profile/name", this.http.json({
            ...opts,
            method: "POST",
            body: setProfileNameRequest
        })));
    }
    /**
     * Change the about text that others see
     */
    setProfileStatus(setProfileStatusRequest: SetProfileStatusRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetProfileStatusReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/profile/status", this.http.json({
            ...opts,
            method: "POST",
            body: setProfileStatusRequest
        })));
    }
    /**
     * Change the picture that others see
     */
    setProfileImage(setProfileImageRequest: SetProfileImageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetProfileImageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/profile/image", this.http.json({
            ...opts,
            method: "POST",
            body: setProfileImageRequest
        })));
    }
    /**
     * Show the profile of a business
     */
    showBusinessProfile(businessProfileRequest?: BusinessProfileRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: BusinessProfileReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/get/profile", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: businessProfileRequest
        })));
    }
    /**
     * List the categories that a business may have
     */
    listBusinessCategories(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: BusinessCategoriesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/get/categories", {
            ...opts
        }));
    }
    /**
     * Change the business profile of the account
     */
    updateBusinessProfile(updateBusinessProfileRequest?: UpdateBusinessProfileRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateBusinessProfileReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 207;
            data: UpdateBusinessProfileReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/update/profile", this.http.json({
            ...opts,
            method: "POST",
            body: updateBusinessProfileRequest
        })));
    }
    /**
     * List the products of a business
     */
    listCatalog(listCatalogRequest?: ListCatalogRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListCatalogReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/list", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: listCatalogRequest
        })));
    }
    /**
     * Show a product of a business
     */
    showProduct(showProductRequest: ShowProductRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowProductReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/info", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: showProductRequest
        })));
    }
    /**
     * Add a product to the catalogue of the account
     */
    addProduct(addProductRequest: AddProductRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AddProductReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/create", this.http.json({
            ...opts,
            method: "POST",
            body: addProductRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Change a product in the account's catalogue
     */
    changeProduct(changeProductRequest: ChangeProductRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChangeProductReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/edit", this.http.json({
            ...opts,
            method: "POST",
            body: changeProductRequest
        })));
    }
    /**
     * Delete a product in the account's catalogue
     */
    deleteProduct(deleteProductRequest: DeleteProductRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteProductReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/delete", this.http.json({
            ...opts,
            method: "POST",
            body: deleteProductRequest
        })));
    }
    /**
     * Show a hidden product of the account again
     */
    showInCatalog(showInCatalogRequest: ShowInCatalogRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowInCatalogReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/show", this.http.json({
            ...opts,
            method: "POST",
            body: showInCatalogRequest
        })));
    }
    /**
     * Hide a product of the account
     */
    hideInCatalog(hideInCatalogRequest: HideInCatalogRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: HideInCatalogReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/catalog/hide", this.http.json({
            ...opts,
            method: "POST",
            body: hideInCatalogRequest
        })));
    }
    /**
     * Show the products of an order that a customer sent
     */
    showOrder(showOrderRequest: ShowOrderRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowOrderReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/business/order", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: showOrderRequest
        })));
    }
    /**
     * Send a text
     */
    sendText(sendTextRequest: SendTextRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendTextReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/text", this.http.json({
            ...opts,
            method: "POST",
            body: sendTextRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a contact card
     */
    sendContact(sendContactRequest: SendContactRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendContactReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/contact", this.http.json({
            ...opts,
            method: "POST",
            body: sendContactRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a location
     */
    sendLocation(sendLocationRequest: SendLocationRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendLocationReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/location", this.http.json({
            ...opts,
            method: "POST",
            body: sendLocationRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send buttons, a list, a poll or a carousel
     */
    sendMenu(sendMenuRequest: SendMenuRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendMenuReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/menu", this.http.json({
            ...opts,
            method: "POST",
            body: sendMenuRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a carousel of cards
     */
    sendCarousel(sendCarouselRequest: SendCarouselRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendCarouselReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/carousel", this.http.json({
            ...opts,
            method: "POST",
            body: sendCarouselRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a button that shows a payment key
     */
    sendPixButton(sendPixButtonRequest: SendPixButtonRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendPixButtonReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/pix-button", this.http.json({
            ...opts,
            method: "POST",
            body: sendPixButtonRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a button that asks for the location
     */
    sendLocationButton(sendLocationButtonRequest: SendLocationButtonRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendLocationButtonReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/location-button", this.http.json({
            ...opts,
            method: "POST",
            body: sendLocationButtonRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Request a payment in Brazil, by Pix, boleto or link
     */
    sendRequestPayment(sendRequestPaymentRequest: SendRequestPaymentRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendRequestPaymentReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/request-payment", this.http.json({
            ...opts,
            method: "POST",
            body: sendRequestPaymentRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send an image, video, audio, document or sticker
     */
    sendMedia(sendMediaRequest: SendMediaRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendMediaReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/media", this.http.json({
            ...opts,
            method: "POST",
            body: sendMediaRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Post a status: text, image, video or voice
     */
    sendStatus(sendStatusRequest: SendStatusRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendStatusReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/status", this.http.json({
            ...opts,
            method: "POST",
            body: sendStatusRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send an event, which people answer
     */
    sendEvent(sendEventRequest: SendEventRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendEventReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/event", this.http.json({
            ...opts,
            method: "POST",
            body: sendEventRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Forward a stored message to another chat
     */
    sendForward(sendForwardRequest: SendForwardRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendForwardReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/forward", this.http.json({
            ...opts,
            method: "POST",
            body: sendForwardRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send the invitation of a group, for its admins
     */
    sendGroupInvite(sendGroupInviteRequest: SendGroupInviteRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendGroupInviteReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/group-invite", this.http.json({
            ...opts,
            method: "POST",
            body: sendGroupInviteRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send a product of a catalogue
     */
    sendProduct(sendProductRequest: SendProductRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendProductReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/product", this.http.json({
            ...opts,
            method: "POST",
            body: sendProductRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Send images and videos as one album
     */
    sendAlbum(sendAlbumRequest: SendAlbumRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SendAlbumReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 207;
            data: SendAlbumReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/send/album", this.http.json({
            ...opts,
            method: "POST",
            body: sendAlbumRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Create a campaign that sends one message to many
     */
    createSimpleCampaign(createSimpleCampaignRequest: CreateSimpleCampaignRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateSimpleCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/simple", this.http.json({
            ...opts,
            method: "POST",
            body: createSimpleCampaignRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Create a campaign whose messages differ
     */
    createAdvancedCampaign(createAdvancedCampaignRequest: CreateAdvancedCampaignRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateAdvancedCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/advanced", this.http.json({
            ...opts,
            method: "POST",
            body: createAdvancedCampaignRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Create a campaign from a list of recipients
     */
    importCampaign(importCampaignRequest: ImportCampaignRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ImportCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/import", this.http.json({
            ...opts,
            method: "POST",
            body: importCampaignRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Create a campaign that repeats another one, for those that failed or for all
     */
    copyCampaign(copyCampaignRequest?: CopyCampaignRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CopyCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/copy", this.http.json({
            ...opts,
            method: "POST",
            body: copyCampaignRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Stop, continue, delete or change a campaign
     */
    editCampaign(editCampaignRequest: EditCampaignRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editCampaignRequest
        })));
    }
    /**
     * List campaigns with their counters
     */
    listCampaigns({ status }: {
        status?: "Active" | "Archived" | "scheduled" | "sending" | "paused" | "done" | "deleting";
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListCampaignsReply;
        }>(`/sender/listfolders${QS.query(QS.explode({
            status
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show a campaign with its counters
     */
    showCampaign({ id }: {
        id?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowCampaignReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/sender/folder${QS.query(QS.explode({
            id
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show what became of the recipients of a campaign over time, and when it ends
     */
    showCampaignCourse({ id }: {
        id?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CampaignCourseReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/sender/course${QS.query(QS.explode({
            id
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the messages of a campaign and what became of them
     */
    listCampaignMessages(listCampaignMessagesRequest?: ListCampaignMessagesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListCampaignMessagesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/listmessages", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: listCampaignMessagesRequest
        })));
    }
    /**
     * Download the results of a campaign as CSV
     */
    campaignResults({ folderId, id }: {
        folderId?: string;
        id?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchText(`/sender/results${QS.query(QS.explode({
            folder_id: folderId,
            id
        }))}`, {
            ...opts
        }));
    }
    /**
     * Delete finished campaigns
     */
    clearDoneCampaigns(clearDoneCampaignsRequest?: ClearDoneCampaignsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ClearDoneCampaignsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/cleardone", this.http.json({
            ...opts,
            method: "POST",
            body: clearDoneCampaignsRequest
        })));
    }
    /**
     * Delete all campaigns, sent or not
     */
    clearAllCampaigns(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ClearAllCampaignsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/clearall", {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Search the stored messages, newest first
     */
    findMessages(findMessagesRequest?: FindMessagesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FindMessagesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/find", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: findMessagesRequest
        })));
    }
    /**
     * Mark received messages as read
     */
    markRead(markReadRequest: MarkReadRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MarkReadReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/markread", this.http.json({
            ...opts,
            method: "POST",
            body: markReadRequest
        })));
    }
    /**
     * React to a message of another person, or remove the reaction
     */
    reactToMessage(reactRequest: ReactRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReactReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/react", this.http.json({
            ...opts,
            method: "POST",
            body: reactRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Change a text or a caption that was sent
     */
    editMessage(editMessageRequest: EditMessageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditMessageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editMessageRequest
        })));
    }
    /**
     * Delete a message that was sent, for everyone; cancel one that is scheduled, queued or delayed
     */
    deleteMessage(deleteMessageRequest?: DeleteMessageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteMessageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/delete", this.http.json({
            ...opts,
            method: "POST",
            body: deleteMessageRequest
        })));
    }
    /**
     * Pin a message in its chat for all members, or unpin it
     */
    pinMessage(pinMessageRequest?: PinMessageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PinMessageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/pin", this.http.json({
            ...opts,
            method: "POST",
            body: pinMessageRequest
        })));
    }
    /**
     * Star a message on all devices of the account, or take the star away
     */
    starMessage(starMessageRequest?: StarMessageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: StarMessageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/star", this.http.json({
            ...opts,
            method: "POST",
            body: starMessageRequest
        })));
    }
    /**
     * Keep a message in a chat whose messages disappear, or let it disappear
     */
    keepMessage(keepMessageRequest?: KeepMessageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: KeepMessageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/keep", this.http.json({
            ...opts,
            method: "POST",
            body: keepMessageRequest
        })));
    }
    /**
     * Vote in a poll, in place of an earlier vote, or take the vote back
     */
    votePoll(votePollRequest: VotePollRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: VotePollReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/vote", this.http.json({
            ...opts,
            method: "POST",
            body: votePollRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Give the file of a message: as a link, as base64, or both
     */
    downloadMessage(downloadRequest: DownloadRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DownloadReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/download", this.http.json({
            ...opts,
            method: "POST",
            body: downloadRequest
        })));
    }
    /**
     * Ask the phone for messages of the past
     */
    syncHistory(historySyncRequest: HistorySyncRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: HistorySyncReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/history-sync", this.http.json({
            ...opts,
            method: "POST",
            body: historySyncRequest
        })));
    }
    /**
     * Show the state of the asynchronous send queue
     */
    tellQueue(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: QueueStatusReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/async", {
            ...opts
        }));
    }
    /**
     * Cancel the sends that are queued
     */
    clearQueue(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: QueueClearReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/async", {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * List the messages that are scheduled, the first that is due first
     */
    listScheduled({ id, chat, trackId, status, $from, to, cursor, limit }: {
        id?: string;
        chat?: string;
        trackId?: string;
        status?: "scheduled" | "canceled" | "failed" | "all";
        $from?: string;
        to?: string;
        cursor?: string;
        limit?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ScheduledReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/message/scheduled${QS.query(QS.explode({
            id,
            chat,
            track_id: trackId,
            status,
            "from": $from,
            to,
            cursor,
            limit
        }))}`, {
            ...opts
        }));
    }
    /**
     * Cancel messages that are scheduled: one, or all of a chat or with a `track_id`
     */
    cancelScheduled({ id, chat, trackId }: {
        id?: string;
        chat?: string;
        trackId?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CancelScheduledReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/message/scheduled${QS.query(QS.explode({
            id,
            chat,
            track_id: trackId
        }))}`, {
            ...opts,
            method: "DELETE"
        }));
    }
    /**
     * Change a message that is scheduled: its time, its text, or its `track_id`
     */
    editScheduled(editScheduledRequest: EditScheduledRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditScheduledReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/scheduled/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editScheduledRequest
        })));
    }
    /**
     * Show typing or recording in a chat, in the background
     */
    showPresence(presenceRequest: PresenceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PresenceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/presence", this.http.json({
            ...opts,
            method: "POST",
            body: presenceRequest
        })));
    }
    /**
     * List who has received and seen a status post of this account
     */
    listStatusViews(statusViewsRequest: StatusViewsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: StatusViewsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/views", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: statusViewsRequest
        })));
    }
    /**
     * List who of a group has received, read and played a message of this account
     */
    showMessageInfo(messageInfoRequest: MessageInfoRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MessageInfoReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/message/info", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: messageInfoRequest
        })));
    }
    /**
     * List the votes of a poll
     */
    listMessageVotes(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MessageVotesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/message/votes/${encodeURIComponent(id)}`, {
            ...opts
        }));
    }
    /**
     * List the reactions to a message
     */
    listMessageReactions(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MessageReactionsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/message/reactions/${encodeURIComponent(id)}`, {
            ...opts
        }));
    }
    /**
     * Get the file of a message, by a link from a record or from /message/download; no token is needed
     */
    giveFile(instance: string, file: string, proof: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: Blob;
        }>(`/media/${encodeURIComponent(instance)}/${encodeURIComponent(file)}/${encodeURIComponent(proof)}`, {
            ...opts
        }));
    }
    /**
     * Ring a person, without sound
     */
    makeCall(makeCallRequest: MakeCallRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MakeCallReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/call/make", this.http.json({
            ...opts,
            method: "POST",
            body: makeCallRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Make a link by which people join a call
     */
    createCallLink(createCallLinkRequest?: CreateCallLinkRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateCallLinkReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/call/link", this.http.json({
            ...opts,
            method: "POST",
            body: createCallLinkRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Refuse an incoming call, or end one that the account makes
     */
    rejectCall(rejectCallRequest?: RejectCallRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RejectCallReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/call/reject", this.http.json({
            ...opts,
            method: "POST",
            body: rejectCallRequest
        })));
    }
    /**
     * Change the lead data of a chat
     */
    editLead(editLeadRequest: EditLeadRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditLeadReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/editLead", this.http.json({
            ...opts,
            method: "POST",
            body: editLeadRequest
        })));
    }
    /**
     * Search the chats by any of their fields
     */
    findChats(findChatsRequest?: FindChatsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FindChatsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/find", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: findChatsRequest
        })));
    }
    /**
     * Show all facts about a chat, with its picture
     */
    tellChatDetails(chatDetailsRequest: ChatDetailsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChatDetailsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/details", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: chatDetailsRequest
        })));
    }
    /**
     * Give the picture of a person, a group or the own account, fetched by the gateway
     */
    giveChatPicture(chatPictureRequest?: ChatPictureRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchBlob<{
            status: 200;
            data: Blob;
        } | {
            status: 204;
        }>("/chat/picture", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: chatPictureRequest
        })));
    }
    /**
     * Check which numbers have an account
     */
    checkNumbers(checkNumbersRequest: CheckNumbersRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CheckNumbersReply;
        }>("/chat/check", this.http.json({
            ...opts,
            method: "POST",
            body: checkNumbersRequest
        })));
    }
    /**
     * Mark a chat as read, or as unread
     */
    readChat(readChatRequest: ReadChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReadChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/read", this.http.json({
            ...opts,
            method: "POST",
            body: readChatRequest
        })));
    }
    /**
     * Archive a chat, or bring it back
     */
    archiveChat(archiveChatRequest: ArchiveChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ArchiveChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/archive", this.http.json({
            ...opts,
            method: "POST",
            body: archiveChatRequest
        })));
    }
    /**
     * Pin a chat to the top, or unpin it
     */
    pinChat(pinChatRequest: PinChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: PinChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/pin", this.http.json({
            ...opts,
            method: "POST",
            body: pinChatRequest
        })));
    }
    /**
     * Mute a chat for 8 hours, a week or for good, or unmute it
     */
    muteChat(muteChatRequest: MuteChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MuteChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/mute", this.http.json({
            ...opts,
            method: "POST",
            body: muteChatRequest
        })));
    }
    /**
     * Let messages of a chat disappear, for all who are in it
     */
    chatEphemeral(chatEphemeralRequest: ChatEphemeralRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChatEphemeralReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/ephemeral", this.http.json({
            ...opts,
            method: "POST",
            body: chatEphemeralRequest
        })));
    }
    /**
     * Show the note of a chat
     */
    showChatNotes(chatNotesRequest: ChatNotesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChatNotesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/notes", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: chatNotesRequest
        })));
    }
    /**
     * Write the note of a chat, on all devices of the account
     */
    editChatNotes(editChatNotesRequest: EditChatNotesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditChatNotesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/notes/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editChatNotesRequest
        })));
    }
    /**
     * Read the notes of chats again from WhatsApp
     */
    refreshChatNotes(refreshChatNotesRequest: RefreshChatNotesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RefreshChatNotesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/notes/refresh", this.http.json({
            ...opts,
            method: "POST",
            body: refreshChatNotesRequest
        })));
    }
    /**
     * Set, add or remove labels of a chat
     */
    labelChat(labelChatRequest: LabelChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: LabelChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/labels", this.http.json({
            ...opts,
            method: "POST",
            body: labelChatRequest
        })));
    }
    /**
     * Delete a chat or its messages, here and on the devices
     */
    deleteChat(deleteChatRequest: DeleteChatRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteChatReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/delete", this.http.json({
            ...opts,
            method: "POST",
            body: deleteChatRequest
        })));
    }
    /**
     * Block a person, or unblock them
     */
    blockPerson(blockRequest: BlockRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: BlockReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/block", this.http.json({
            ...opts,
            method: "POST",
            body: blockRequest
        })));
    }
    /**
     * List the blocked people
     */
    listBlocked(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: BlocklistReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chat/blocklist", {
            ...opts
        }));
    }
    /**
     * Create, change or delete a label
     */
    editLabel(editLabelRequest?: EditLabelRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditLabelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/label/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editLabelRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the labels of the account
     */
    listLabels(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: LabelListReply;
        }>("/labels", {
            ...opts
        }));
    }
    /**
     * Read the labels again from WhatsApp
     */
    refreshLabels(refreshLabelsRequest?: RefreshLabelsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RefreshLabelsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 202;
            data: RefreshLabelsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/labels/refresh", this.http.json({
            ...opts,
            method: "POST",
            body: refreshLabelsRequest
        })));
    }
    /**
     * List the quick replies, stored here and on the phone
     */
    listQuickReplies(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListQuickRepliesReply;
        }>("/quickreply/showall", {
            ...opts
        }));
    }
    /**
     * Create, change or delete a quick reply
     */
    editQuickReply(editQuickReplyRequest?: EditQuickReplyRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditQuickReplyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/quickreply/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editQuickReplyRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the people to whom campaigns send nothing
     */
    listSuppressions({ limit, cursor }: {
        limit?: number;
        cursor?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SuppressionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/sender/suppression${QS.query(QS.explode({
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * Add people to whom campaigns send nothing
     */
    addSuppressions(addSuppressionsRequest: AddSuppressionsRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AddSuppressionsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/suppression/add", this.http.json({
            ...opts,
            method: "POST",
            body: addSuppressionsRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Let campaigns write to people again
     */
    removeSuppressions(removeSuppressionsRequest: RemoveSuppressionsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RemoveSuppressionsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/suppression/remove", this.http.json({
            ...opts,
            method: "POST",
            body: removeSuppressionsRequest
        })));
    }
    /**
     * Look up whether campaigns send people nothing
     */
    checkSuppressions(checkSuppressionsRequest: CheckSuppressionsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CheckSuppressionsReply;
        }>("/sender/suppression/check", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: checkSuppressionsRequest
        })));
    }
    /**
     * Show the words by which people opt out of campaigns
     */
    showOptOutWords(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: OptOutWordsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/suppression/words", {
            ...opts
        }));
    }
    /**
     * Choose the words by which people opt out of campaigns
     */
    setOptOutWords(setOptOutWordsRequest: SetOptOutWordsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetOptOutWordsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/sender/suppression/words", this.http.json({
            ...opts,
            method: "POST",
            body: setOptOutWordsRequest
        })));
    }
    /**
     * List the contacts of the account, page by page
     */
    listContacts(listContactsRequest?: ListContactsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListContactsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/contacts/list", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: listContactsRequest
        })));
    }
    /**
     * List all contacts of the account
     */
    listAllContacts({ contactScope }: {
        contactScope?: "address_book" | "outside_address_book" | "all";
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AllContactsReply;
        }>(`/contacts${QS.query(QS.explode({
            contactScope
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the LIDs whose numbers are known, page by page
     */
    listLids({ limit, after }: {
        limit?: number;
        after?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListLidsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/lids${QS.query(QS.explode({
            limit,
            after
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show the number behind a LID
     */
    showNumberOfLid(lid: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: LidMapping & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/lids/${encodeURIComponent(lid)}`, {
            ...opts
        }));
    }
    /**
     * Show the LID of a number
     */
    showLidOfNumber($number: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: LidMapping & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/lids/pn/${encodeURIComponent($number)}`, {
            ...opts
        }));
    }
    /**
     * Save a contact in the address book of the account
     */
    addContact(addContactRequest: AddContactRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AddContactReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/contact/add", this.http.json({
            ...opts,
            method: "POST",
            body: addContactRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Remove a contact from the address book of the account
     */
    removeContact(removeContactRequest?: RemoveContactRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RemoveContactReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/contact/remove", this.http.json({
            ...opts,
            method: "POST",
            body: removeContactRequest
        })));
    }
    /**
     * Tell whether a person is online, types, and when they were last seen; watches the person from then on
     */
    contactPresence($number: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ContactPresenceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/contact/presence/${encodeURIComponent($number)}`, {
            ...opts
        }));
    }
    /**
     * List the groups of the account
     */
    listGroups({ force, noparticipants, getParticipants }: {
        force?: boolean;
        noparticipants?: boolean;
        getParticipants?: boolean;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GroupListReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/group/list${QS.query(QS.explode({
            force,
            noparticipants,
            getParticipants
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the groups of the account, page by page
     */
    findGroups(findGroupsRequest?: FindGroupsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FindGroupsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/list", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: findGroupsRequest
        })));
    }
    /**
     * Show a group with its members
     */
    tellGroup(groupInfoRequest: GroupInfoRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GroupInfoReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/info", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: groupInfoRequest
        })));
    }
    /**
     * Create a group
     */
    createGroup(createGroupRequest: CreateGroupRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateGroupReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/create", this.http.json({
            ...opts,
            method: "POST",
            body: createGroupRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Join a group by an invitation
     */
    joinGroup(joinGroupRequest?: JoinGroupRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: JoinGroupReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/join", this.http.json({
            ...opts,
            method: "POST",
            body: joinGroupRequest
        })));
    }
    /**
     * Show the group of an invitation
     */
    tellInvitation(inviteInfoRequest: InviteInfoRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: InviteInfoReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/inviteInfo", this.http.json({
            ...opts,
            method: "POST",
            body: inviteInfoRequest
        })));
    }
    /**
     * Create a new invitation; the former one ends
     */
    resetInviteCode(resetInviteCodeRequest: ResetInviteCodeRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ResetInviteCodeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/resetInviteCode", this.http.json({
            ...opts,
            method: "POST",
            body: resetInviteCodeRequest
        })));
    }
    /**
     * Leave a group
     */
    leaveGroup(leaveGroupRequest: LeaveGroupRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: LeaveGroupReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/leave", this.http.json({
            ...opts,
            method: "POST",
            body: leaveGroupRequest
        })));
    }
    /**
     * Allow only admins, or all members, to send to a group
     */
    updateAnnounce(updateAnnounceRequest: UpdateAnnounceRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateAnnounceReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateAnnounce", this.http.json({
            ...opts,
            method: "POST",
            body: updateAnnounceRequest
        })));
    }
    /**
     * Allow only admins, or all members, to change a group
     */
    updateLocked(updateLockedRequest: UpdateLockedRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateLockedReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateLocked", this.http.json({
            ...opts,
            method: "POST",
            body: updateLockedRequest
        })));
    }
    /**
     * Change the name of a group
     */
    updateGroupName(updateGroupNameRequest: UpdateGroupNameRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateGroupNameReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateName", this.http.json({
            ...opts,
            method: "POST",
            body: updateGroupNameRequest
        })));
    }
    /**
     * Change the description of a group
     */
    updateGroupDescription(updateGroupDescriptionRequest: UpdateGroupDescriptionRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateGroupDescriptionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateDescription", this.http.json({
            ...opts,
            method: "POST",
            body: updateGroupDescriptionRequest
        })));
    }
    /**
     * Change the picture of a group
     */
    updateGroupImage(updateGroupImageRequest: UpdateGroupImageRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateGroupImageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateImage", this.http.json({
            ...opts,
            method: "POST",
            body: updateGroupImageRequest
        })));
    }
    /**
     * Add, remove, promote or demote members, and answer requests to join
     */
    updateParticipants(updateParticipantsRequest: UpdateParticipantsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateParticipantsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateParticipants", this.http.json({
            ...opts,
            method: "POST",
            body: updateParticipantsRequest
        })));
    }
    /**
     * Require the approval of an admin to join
     */
    updateJoinApproval(updateJoinApprovalRequest: UpdateJoinApprovalRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateJoinApprovalReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateJoinApproval", this.http.json({
            ...opts,
            method: "POST",
            body: updateJoinApprovalRequest
        })));
    }
    /**
     * Allow only admins, or all members, to add members
     */
    updateMemberAddMode(updateMemberAddModeRequest: UpdateMemberAddModeRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UpdateMemberAddModeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/updateMemberAddMode", this.http.json({
            ...opts,
            method: "POST",
            body: updateMemberAddModeRequest
        })));
    }
    /**
     * Let messages of a group disappear
     */
    groupEphemeral(groupEphemeralRequest: GroupEphemeralRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GroupEphemeralReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/group/ephemeral", this.http.json({
            ...opts,
            method: "POST",
            body: groupEphemeralRequest
        })));
    }
    /**
     * Show the invitation of a group, for its admins
     */
    tellInviteLink(groupJid: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: InviteLinkReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/group/invitelink/${encodeURIComponent(groupJid)}`, {
            ...opts
        }));
    }
    /**
     * Download the members of a group as CSV
     */
    exportParticipants({ groupjid, force }: {
        groupjid?: string;
        force?: boolean;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchText(`/group/participants/export${QS.query(QS.explode({
            groupjid,
            force
        }))}`, {
            ...opts
        }));
    }
    /**
     * Create a community
     */
    createCommunity(createCommunityRequest: CreateCommunityRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateCommunityReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/community/create", this.http.json({
            ...opts,
            method: "POST",
            body: createCommunityRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Add groups to a community, or remove them
     */
    editCommunityGroups(editCommunityRequest: EditCommunityRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditCommunityReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/community/editgroups", this.http.json({
            ...opts,
            method: "POST",
            body: editCommunityRequest
        })));
    }
    /**
     * List the channels that the account owns, administers or follows
     */
    listChannels(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListChannelsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/list", {
            ...opts
        }));
    }
    /**
     * Create a channel
     */
    createChannel(createChannelRequest: CreateChannelRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: CreateChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/create", this.http.json({
            ...opts,
            method: "POST",
            body: createChannelRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Show a channel
     */
    showChannel(showChannelRequest?: ShowChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ShowChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/info", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: showChannelRequest
        })));
    }
    /**
     * Show the channel behind a link
     */
    findChannel(findChannelRequest: FindChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FindChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/link", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: findChannelRequest
        })));
    }
    /**
     * Search the directory of channels
     */
    searchChannels(searchChannelsRequest?: SearchChannelsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SearchChannelsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/search", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: searchChannelsRequest
        })));
    }
    /**
     * Follow a channel
     */
    followChannel(followChannelRequest?: FollowChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FollowChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/follow", this.http.json({
            ...opts,
            method: "POST",
            body: followChannelRequest
        })));
    }
    /**
     * Mute a channel
     */
    muteChannel(muteChannelRequest?: MuteChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MuteChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/mute", this.http.json({
            ...opts,
            method: "POST",
            body: muteChannelRequest
        })));
    }
    /**
     * No longer mute a channel
     */
    unmuteChannel(unmuteChannelRequest?: UnmuteChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UnmuteChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/unmute", this.http.json({
            ...opts,
            method: "POST",
            body: unmuteChannelRequest
        })));
    }
    /**
     * No longer follow a channel
     */
    unfollowChannel(unfollowChannelRequest?: UnfollowChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: UnfollowChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/unfollow", this.http.json({
            ...opts,
            method: "POST",
            body: unfollowChannelRequest
        })));
    }
    /**
     * Ask for changes of views and reactions while they happen
     */
    subscribeToChannel(subscribeToChannelRequest?: SubscribeToChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SubscribeToChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/subscribe", this.http.json({
            ...opts,
            method: "POST",
            body: subscribeToChannelRequest
        })));
    }
    /**
     * List the posts of a channel
     */
    listChannelPosts(listChannelPostsRequest?: ListChannelPostsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListChannelPostsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/messages", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: listChannelPostsRequest
        })));
    }
    /**
     * List views and reactions of a channel's posts
     */
    listChannelUpdates(listChannelUpdatesRequest?: ListChannelUpdatesRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListChannelUpdatesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/updates", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: listChannelUpdatesRequest
        })));
    }
    /**
     * Count posts as viewed
     */
    markPostsViewed(markPostsViewedRequest: MarkPostsViewedRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: MarkPostsViewedReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/viewed", this.http.json({
            ...opts,
            method: "POST",
            body: markPostsViewedRequest
        })));
    }
    /**
     * React to a post of a channel
     */
    reactToPost(reactToPostRequest: ReactToPostRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReactToPostReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/reaction", this.http.json({
            ...opts,
            method: "POST",
            body: reactToPostRequest
        })));
    }
    /**
     * Edit a post of a channel
     */
    editChannelPost(editChannelPostRequest: EditChannelPostRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditChannelPostReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/messages/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editChannelPostRequest
        })));
    }
    /**
     * Delete a post of a channel
     */
    deleteChannelPost(deleteChannelPostRequest?: DeleteChannelPostRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteChannelPostReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/messages/delete", this.http.json({
            ...opts,
            method: "POST",
            body: deleteChannelPostRequest
        })));
    }
    /**
     * Change the name of a channel
     */
    setChannelName(setChannelNameRequest: SetChannelNameRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetChannelNameReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/name", this.http.json({
            ...opts,
            method: "POST",
            body: setChannelNameRequest
        })));
    }
    /**
     * Change the description of a channel
     */
    setChannelDescription(setChannelDescriptionRequest: SetChannelDescriptionRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetChannelDescriptionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/description", this.http.json({
            ...opts,
            method: "POST",
            body: setChannelDescriptionRequest
        })));
    }
    /**
     * Change the picture of a channel
     */
    setChannelPicture(setChannelPictureRequest: SetChannelPictureRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetChannelPictureReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/picture", this.http.json({
            ...opts,
            method: "POST",
            body: setChannelPictureRequest
        })));
    }
    /**
     * Change with which emojis people may react to posts
     */
    setChannelSettings(setChannelSettingsRequest: SetChannelSettingsRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetChannelSettingsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/settings", this.http.json({
            ...opts,
            method: "POST",
            body: setChannelSettingsRequest
        })));
    }
    /**
     * Invite a person to administer a channel
     */
    inviteChannelAdmin(inviteChannelAdminRequest: InviteChannelAdminRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: InviteChannelAdminReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/admin/invite", this.http.json({
            ...opts,
            method: "POST",
            body: inviteChannelAdminRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * Accept an invitation to administer a channel
     */
    acceptChannelAdmin(acceptChannelAdminRequest?: AcceptChannelAdminRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AcceptChannelAdminReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/admin/accept", this.http.json({
            ...opts,
            method: "POST",
            body: acceptChannelAdminRequest
        })));
    }
    /**
     * Remove an administrator of a channel
     */
    removeChannelAdmin(removeChannelAdminRequest: RemoveChannelAdminRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RemoveChannelAdminReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/admin/remove", this.http.json({
            ...opts,
            method: "POST",
            body: removeChannelAdminRequest
        })));
    }
    /**
     * Take back an invitation to administer a channel
     */
    revokeChannelInvite(revokeChannelInviteRequest: RevokeChannelInviteRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RevokeChannelInviteReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/admin/revoke", this.http.json({
            ...opts,
            method: "POST",
            body: revokeChannelInviteRequest
        })));
    }
    /**
     * Make an administrator the owner of a channel
     */
    transferChannel(transferChannelRequest: TransferChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TransferChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/owner/transfer", this.http.json({
            ...opts,
            method: "POST",
            body: transferChannelRequest
        })));
    }
    /**
     * Delete a channel for good
     */
    deleteChannel(deleteChannelRequest?: DeleteChannelRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeleteChannelReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/newsletter/delete", this.http.json({
            ...opts,
            method: "POST",
            body: deleteChannelRequest
        })));
    }
    /**
     * Create, change or delete an agent that answers messages with a language model
     */
    editAgent(editAgentRequest?: EditAgentRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditAgentReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 201;
            data: EditAgentReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/agent/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editAgentRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the agents
     */
    listAgents(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AgentListReply;
        }>("/agent/list", {
            ...opts
        }));
    }
    /**
     * Try an agent without sending anything
     */
    testAgent(testAgentRequest: TestAgentRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TestAgentReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/agent/test", this.http.json({
            ...opts,
            method: "POST",
            body: testAgentRequest
        })));
    }
    /**
     * List the turns of agents, with their states, reasons, tokens and cost
     */
    listTurns({ chatid, state, trace, limit, cursor }: {
        chatid?: string;
        state?: "waiting" | "preparing" | "asking" | "calling" | "replying" | "done" | "skipped" | "cancelled" | "failed";
        trace?: boolean;
        limit?: number;
        cursor?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AgentTurnsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/agent/turns${QS.query(QS.explode({
            chatid,
            state,
            trace,
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * Answer the messages of a turn that gave no answer
     */
    retryTurn(retryTurnRequest: RetryTurnRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: RetryTurnReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/agent/turns/retry", this.http.json({
            ...opts,
            method: "POST",
            body: retryTurnRequest
        })));
    }
    /**
     * Show turns, tokens and money of the day, with their limits
     */
    showAgentUsage({ days }: {
        days?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: AgentUsageReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/agent/usage${QS.query(QS.explode({
            days
        }))}`, {
            ...opts
        }));
    }
    /**
     * Create, change or delete a trigger, which chooses the messages that an agent answers
     */
    editTrigger(editTriggerRequest?: EditTriggerRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditTriggerReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 201;
            data: EditTriggerReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/trigger/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editTriggerRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the triggers
     */
    listTriggers(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TriggerListReply;
        }>("/trigger/list", {
            ...opts
        }));
    }
    /**
     * Create, change or delete a function that agents may call
     */
    editFunction(editFunctionRequest?: EditFunctionRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditFunctionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/function/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editFunctionRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the functions that agents may call
     */
    listFunctions(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: FunctionListReply;
        }>("/function/list", {
            ...opts
        }));
    }
    /**
     * Call a function as a model would
     */
    testFunction(testFunctionRequest: TestFunctionRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TestFunctionReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/function/test", this.http.json({
            ...opts,
            method: "POST",
            body: testFunctionRequest
        })));
    }
    /**
     * Create, change or delete knowledge of the agent
     */
    editKnowledge(editKnowledgeRequest?: EditKnowledgeRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: EditKnowledgeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        } | {
            status: 201;
            data: EditKnowledgeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/knowledge/edit", this.http.json({
            ...opts,
            method: "POST",
            body: editKnowledgeRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the knowledge of the agent
     */
    listKnowledge(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: KnowledgeListReply;
        }>("/knowledge/list", {
            ...opts
        }));
    }
    /**
     * Search the knowledge of the agent, as an agent does
     */
    searchKnowledge(searchKnowledgeRequest: SearchKnowledgeRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SearchKnowledgeReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/knowledge/search", this.http.json({
            ...opts,
            method: "POST",
            reads: true,
            body: searchKnowledgeRequest
        })));
    }
    /**
     * List the webhooks of the instance
     */
    listWebhooks(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListWebhooksReply;
        }>("/webhook", {
            ...opts
        }));
    }
    /**
     * Set, add, update or delete a webhook of the instance
     */
    setWebhook(setWebhookRequest?: SetWebhookRequest, { idempotencyKey }: {
        idempotencyKey?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetWebhookReply;
        }>("/webhook", this.http.json({
            ...opts,
            method: "POST",
            body: setWebhookRequest,
            headers: this.http.mergeHeaders(opts?.headers, {
                "Idempotency-Key": idempotencyKey
            })
        })));
    }
    /**
     * List the newest failed deliveries to the webhooks of the instance
     */
    listWebhookErrors({ limit }: {
        limit?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: WebhookErrorsReply;
        }>(`/webhook/errors${QS.query(QS.explode({
            limit
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the dead letters of the instance's webhooks
     */
    listDeadLetters({ webhookId, event, $from, limit, offset }: {
        webhookId?: string;
        event?: EventKind;
        $from?: string;
        limit?: number;
        offset?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeadLettersReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/webhook/deadletters${QS.query(QS.explode({
            webhookId,
            event,
            "from": $from,
            limit,
            offset
        }))}`, {
            ...opts
        }));
    }
    /**
     * List what waits for the webhooks of the instance, what failed, and the newest that was delivered
     */
    listDeliveries({ webhookId, state, event, $from, to, limit, cursor }: {
        webhookId?: string;
        state?: "delivered" | "waiting" | "failed" | "dead";
        event?: EventKind;
        $from?: string;
        to?: string;
        limit?: number;
        cursor?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeliveriesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/webhook/deliveries${QS.query(QS.explode({
            webhookId,
            state,
            event,
            "from": $from,
            to,
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show a delivery with its attempts: what was sent, and what the receiver answered
     */
    showDelivery(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: DeliveryReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/webhook/deliveries/${encodeURIComponent(id)}`, {
            ...opts
        }));
    }
    /**
     * Show what each webhook of the instance took in the last hours or days, what failed, and how long it took
     */
    showReceiverFigures({ webhookId, hours }: {
        webhookId?: string;
        hours?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReceiverFiguresReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/webhook/figures${QS.query(QS.explode({
            webhookId,
            hours
        }))}`, {
            ...opts
        }));
    }
    /**
     * Deliver dead letters again (all of a webhook, or chosen ones), or any kept deliveries
     */
    replayWebhook(replayWebhookRequest?: ReplayWebhookRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReplayWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/webhook/replay", this.http.json({
            ...opts,
            method: "POST",
            body: replayWebhookRequest
        })));
    }
    /**
     * Send a sample to a webhook now, and show the answer of its receiver
     */
    testWebhook(testWebhookRequest?: TestWebhookRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TestWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/webhook/test", this.http.json({
            ...opts,
            method: "POST",
            body: testWebhookRequest
        })));
    }
    /**
     * Show the webhook that receives the events of every instance
     */
    getGlobalWebhook(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GetGlobalWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/globalwebhook", {
            ...opts
        }));
    }
    /**
     * Create or change the webhook that receives the events of every instance
     */
    setGlobalWebhook(setGlobalWebhookRequest: SetGlobalWebhookRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetGlobalWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/globalwebhook", this.http.json({
            ...opts,
            method: "POST",
            body: setGlobalWebhookRequest
        })));
    }
    /**
     * List the newest failed deliveries to the global webhook
     */
    listGlobalWebhookErrors({ limit }: {
        limit?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GlobalWebhookErrorsReply;
        }>(`/globalwebhook/errors${QS.query(QS.explode({
            limit
        }))}`, {
            ...opts
        }));
    }
    /**
     * List the dead letters of the global webhook
     */
    listGlobalDeadLetters({ event, $from, limit, offset }: {
        event?: EventKind;
        $from?: string;
        limit?: number;
        offset?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GlobalDeadLettersReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/globalwebhook/deadletters${QS.query(QS.explode({
            event,
            "from": $from,
            limit,
            offset
        }))}`, {
            ...opts
        }));
    }
    /**
     * List what waits for the global webhook, what failed, and the newest that was delivered
     */
    listGlobalDeliveries({ state, event, $from, to, limit, cursor }: {
        state?: "delivered" | "waiting" | "failed" | "dead";
        event?: EventKind;
        $from?: string;
        to?: string;
        limit?: number;
        cursor?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GlobalDeliveriesReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/globalwebhook/deliveries${QS.query(QS.explode({
            state,
            event,
            "from": $from,
            to,
            limit,
            cursor
        }))}`, {
            ...opts
        }));
    }
    /**
     * Show a delivery to the global webhook with its attempts
     */
    showGlobalDelivery(id: string, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GlobalDeliveryReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/globalwebhook/deliveries/${encodeURIComponent(id)}`, {
            ...opts
        }));
    }
    /**
     * Show what the global webhook took in the last hours or days, what failed, and how long it took
     */
    showGlobalReceiverFigures({ hours }: {
        hours?: number;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: GlobalReceiverFiguresReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/globalwebhook/figures${QS.query(QS.explode({
            hours
        }))}`, {
            ...opts
        }));
    }
    /**
     * Deliver dead letters of the global webhook again (all, or chosen ones), or any kept deliveries
     */
    replayGlobalWebhook(replayGlobalWebhookRequest?: ReplayGlobalWebhookRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReplayGlobalWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/globalwebhook/replay", this.http.json({
            ...opts,
            method: "POST",
            body: replayGlobalWebhookRequest
        })));
    }
    /**
     * Send a sample to the global webhook now, and show the answer of its receiver
     */
    testGlobalWebhook(testGlobalWebhookRequest?: TestGlobalWebhookRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: TestGlobalWebhookReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/globalwebhook/test", this.http.json({
            ...opts,
            method: "POST",
            body: testGlobalWebhookRequest
        })));
    }
    /**
     * Show the Chatwoot of the instance, and how it goes
     */
    showChatwoot(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ChatwootConfigReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chatwoot/config", {
            ...opts
        }));
    }
    /**
     * Connect the instance with an inbox of Chatwoot
     */
    setChatwoot(setChatwootRequest: SetChatwootRequest, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: SetChatwootReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/chatwoot/config", this.http.json({
            ...opts,
            method: "PUT",
            body: setChatwootRequest
        })));
    }
    /**
     * List stored events of the instance, for a client that was away
     */
    listEvents({ since, limit, events, excludeMessages }: {
        since?: string;
        limit?: number;
        events?: string;
        excludeMessages?: string;
    } = {}, opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ListEventsReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>(`/events${QS.query(QS.explode({
            since,
            limit,
            events,
            excludeMessages
        }))}`, {
            ...opts
        }));
    }
    /**
     * Check that the process is alive
     */
    tellHealth(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: HealthReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/health", {
            ...opts
        }));
    }
    /**
     * Check whether this node can serve calls; 503 with the reasons if not
     */
    tellReadiness(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: ReadyReply & {
                /** Sentences about what was ignored or done otherwise. */
                warnings?: string[];
            };
        }>("/ready", {
            ...opts
        }));
    }
    /**
     * Metrics for Prometheus; if METRICS_TOKEN is set, callers must send it as a bearer token
     */
    tellMetrics(opts?: CallOptions) {
        return this.http.ok(this.http.fetchText("/metrics", {
            ...opts
        }));
    }
    /**
     * This interface as an OpenAPI 3.1 document
     */
    tellOpenApi(opts?: CallOptions) {
        return this.http.ok(this.http.fetchJson<{
            status: 200;
            data: object;
        }>("/openapi.json", {
            ...opts
        }));
    }
}
