/**
 * Lists the mechanism behind each guarantee, and the test that fails without it. `npm run test:mechanisms` switches each off in a copy of the built
 * program, by replacing a text in it, and expects the named test to fail; `docs/reference/guarantees.md` is made from this list.
 */

/** A file below `dist/`, a text that stands in it once, and what stands there when the mechanism is off. */
export interface Switch {
  readonly file: string
  readonly on: string
  readonly off: string
}

export interface Mechanism {
  /** Of `docs/reference/guarantees.md`. */
  readonly guarantee: 'G1' | 'G2' | 'G3' | 'G4' | 'G6' | 'limits' | 'secrets' | 'access'
  readonly what: string
  /** Several, where each alone would do. */
  readonly switches: readonly Switch[]
  /** Parts of the paths of the test files. */
  readonly tests: readonly string[]
}

export const guarantees: Readonly<Record<Mechanism['guarantee'], string>> = {
  G1: 'One owner: no write of a former owner lands',
  G2: 'Nothing accepted is lost',
  G3: 'Nothing is done twice',
  G4: 'In order',
  G6: 'Trouble stays where it is, and is reported as it is',
  limits: 'No account takes what all of a node need',
  secrets: 'Secrets at rest are sealed',
  access: 'Who may do what',
}

export const mechanisms: readonly Mechanism[] = [
  {
    guarantee: 'G1',
    what: 'Every write locks the epochs of its shards (`FOR SHARE`) in its own transaction.',
    switches: [{ file: 'runtime/store/journal/fence.js', on: 'FOR SHARE OF shard_owner', off: '' }],
    tests: ['store/fence.integration'],
  },
  {
    guarantee: 'G1',
    what: 'A write under an old epoch is dropped.',
    switches: [
      {
        file: 'runtime/store/journal/fence.js',
        on: 'if (row === undefined || !passed.has(',
        off: 'if (row === undefined || (',
      },
    ],
    tests: ['store/fence.integration'],
  },
  {
    guarantee: 'G1',
    what: 'A write of a node that has the epoch of a shard but not the shard is dropped: two databases may give out one epoch.',
    switches: [
      {
        file: 'runtime/store/journal/fence.js',
        on: "AND ($3::text = '' OR shard_owner.owner = $3)",
        off: '',
      },
      {
        file: 'runtime/store/journal/fence.js',
        on: "AND ($3::text = '' OR owner = $3)",
        off: "AND ($3::text = '' OR true)",
      },
    ],
    tests: ['store/fence.integration'],
  },
  {
    guarantee: 'G1',
    what: 'After a store that went back, shards are claimed only when no node can act by what was before.',
    switches: [{ file: 'runtime/cluster/ownership/placement.js', on: 'nowMs < state.claimsFromMs', off: 'false' }],
    tests: ['ownership/core.test'],
  },
  {
    guarantee: 'G1',
    what: 'While Redis is away, a node acts in a new era only when all others have heard of it.',
    switches: [
      {
        file: 'runtime/cluster/store-watch.js',
        on: 'isRedisAway && isNews && !(await this.#tell(reading))',
        off: 'isRedisAway && isNews && !(await this.#tell(reading)) && false',
      },
    ],
    tests: ['cluster/store-watch.test'],
  },
  {
    guarantee: 'G1',
    what: 'A node that uses an older PostgreSQL than the others proves nothing by it.',
    switches: [
      {
        file: 'runtime/cluster/ownership/keeper.js',
        on: 'if (state.isOutdated)\n                return { state: held',
        off: 'if (false)\n                return { state: held',
      },
    ],
    tests: ['ownership/keeper.test'],
  },
  {
    guarantee: 'G1',
    what: 'Statements that are sent with the fence run only if every shard of the commit passed it.',
    switches: [
      {
        file: 'runtime/store/journal/fence.js',
        on: 'CASE WHEN count(*) =',
        off: 'CASE WHEN true OR count(*) =',
      },
    ],
    tests: ['store/fence.integration'],
  },
  {
    guarantee: 'G1',
    what: 'What was written ahead of the answer that an instance is exported is rolled back.',
    switches: [
      { file: 'runtime/store/journal/fence.js', on: 'row === undefined || row.exported', off: 'row === undefined' },
    ],
    tests: ['store/transfer/instance-transfer.integration'],
  },
  {
    guarantee: 'G1',
    what: 'What another installation has taken over is no longer written here, and its credentials are not read.',
    switches: [
      {
        file: 'runtime/store/journal/fence.js',
        on: "return write.changes.some(({ type }) => type !== 'deliveries');",
        off: 'return false;',
      },
      { file: 'runtime/store/reader.js', on: 'rows[0]?.exported === true', off: 'false' },
    ],
    tests: ['store/transfer/instance-transfer.integration'],
  },
  {
    guarantee: 'G1',
    what: 'A connection is ended by a reset, so that nothing of it is sent later by the kernel.',
    switches: [
      {
        file: 'actors/network/baileys/connector.js',
        on: 'socket.resetAndDestroy();',
        off: 'socket.destroy();',
      },
    ],
    tests: ['baileys/connector.test'],
  },
  {
    guarantee: 'G1',
    what: 'A frame leaves only while its node can prove that it lives.',
    switches: [
      {
        file: 'actors/network/baileys/output-gate.js',
        on: 'held.length === 0 && guard.isOpen()) {',
        off: 'held.length === 0) {',
      },
      {
        file: 'actors/network/baileys/output-gate.js',
        on: 'while (!guard.isOpen() && !this.#isClosed)',
        off: 'while (false)',
      },
    ],
    tests: ['baileys/output-gate.test'],
  },
  {
    guarantee: 'G1',
    what: 'The proof is asked for again in the write in which a frame leaves.',
    switches: [{ file: 'actors/network/baileys/output-gate.js', on: 'if (guard.isOpen())', off: 'if (true)' }],
    tests: ['baileys/output-gate.test'],
  },
  {
    guarantee: 'G2',
    what: 'A frame leaves only when everything written before it is durable.',
    switches: [
      {
        file: 'actors/network/baileys/output-gate.js',
        on: 'if (durable === undefined && held.length === 0 && guard.isOpen()) {',
        off: 'if (true) {',
      },
    ],
    tests: ['durability/journal-held.faults'],
  },
  {
    guarantee: 'G2',
    what: 'A key that cannot be read is not taken for one that is not there.',
    switches: [
      {
        file: 'actors/network/baileys/signal-keys.js',
        on: 'await this.#stored(kind, missing)',
        off: 'await this.#options.reader.keys(this.#options.instance, kind, missing)',
      },
    ],
    tests: ['baileys/signal-keys.test'],
  },
  {
    guarantee: 'G2',
    what: 'A new connection sends again what WhatsApp has not acknowledged.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'const read = before.then(() => this.#sendAgain());',
        off: 'const read = before;',
      },
    ],
    tests: ['durability/dead-connections.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A row that is refused ends the connection, so that memory never runs ahead of the store.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'connection.destroy(causeOfFailure(error));',
        off: '',
      },
    ],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G2',
    what: 'An answer of WhatsApp that is not stored ends the connection, so that the next one sends the message again.',
    switches: [
      { file: 'actors/instance/sends/relays.js', on: 'void this.#endConnection(generation, error);', off: '' },
    ],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G2',
    what: 'Queued sends are found again in the store, at each connection and now and then.',
    switches: [
      {
        file: 'runtime/node-process.js',
        on: 'sweep: () => outbox.instancesWithQueued(host.ready()),',
        off: 'sweep: async () => [],',
      },
      {
        file: 'actors/instance/sends/sends.js',
        on: '.then(() => Promise.race([this.runQueue(), pause(QUEUE_FIRST_MS)]))',
        off: '',
      },
    ],
    tests: ['gateway/messages.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Deliveries that are due are found again in the store.',
    switches: [
      {
        file: 'runtime/delivery/backlog-sweep.js',
        on: 'return due;',
        off: 'return [];',
      },
    ],
    tests: ['durability/receiver-away.faults'],
  },
  {
    guarantee: 'G2',
    what: 'A look for waiting work that failed is tried again soon.',
    switches: [{ file: 'runtime/queues/scheduler.js', on: 'this.#sweepAgainSoon();', off: '' }],
    tests: ['queues/scheduler.test'],
  },
  {
    guarantee: 'G2',
    what: 'A message that cannot be decrypted because it was before a crash is answered from the store.',
    switches: [
      {
        file: 'actors/network/baileys/signal-repository.js',
        on: 'const known = await recall(ciphertext, type, error);',
        off: 'const known = null;',
      },
    ],
    tests: ['gateway/messages.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A sender key is written together with the ratchet step of its message, which cannot be repeated.',
    switches: [
      {
        file: 'actors/network/baileys/signal-repository.js',
        on: 'if (senderKey === null)',
        off: 'if (true)',
      },
    ],
    tests: ['baileys/signal-repository.test'],
  },
  {
    guarantee: 'G2',
    what: 'An id that no index takes is shortened, so that the message is stored and not refused for ever.',
    switches: [{ file: 'actors/network/baileys/key-codec.js', on: 'if (id.length <= LENGTH_MAX)', off: 'if (true)' }],
    tests: ['durability/poison.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A received message of which the database refuses the values is kept as a row without them.',
    switches: [
      {
        file: 'runtime/store/journal/batch-writer.js',
        on: 'if (instances.length === 1 && isDataFault(error))',
        off: 'if (false)',
      },
    ],
    tests: ['store/failures.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A send whose questions WhatsApp does not answer is stored when the wait of its caller ends.',
    switches: [
      {
        file: 'actors/instance/sends/direct-sends.js',
        on: 'Math.max(timing.ackTimeoutMs, STORE_MIN_MS)',
        off: '600_000',
      },
    ],
    tests: ['gateway/silent-network.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A first message to a person is stored before WhatsApp is asked for the person.',
    switches: [
      {
        file: 'actors/instance/sends/first-sends.js',
        on: '|| (await this.#isSettled(asked))',
        off: '|| true',
      },
    ],
    tests: ['gateway/silent-network.integration'],
  },
  {
    guarantee: 'G2',
    what: "A stored list of devices is forgotten before WhatsApp's notice of a new device is acknowledged.",
    switches: [
      {
        file: 'actors/network/baileys/stanza-listeners.js',
        on: "'CB:notification,type:devices': onDevices",
        off: "'CB:notification,type:no-devices': onDevices",
      },
    ],
    tests: ['gateway/settled-sessions.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A reader of a stream hears that the store lost events up to its position.',
    switches: [{ file: 'runtime/store/events.js', on: 'if (place > end)', off: 'if (false)' }],
    tests: ['delivery/stream.integration'],
  },
  {
    guarantee: 'G3',
    what: 'How a transaction ended whose commit was not answered is asked for, and not guessed.',
    switches: [
      { file: 'runtime/store/journal/batch-writer.js', on: "if (outcome === 'committed')", off: 'if (false)' },
      { file: 'runtime/store/in-transaction.js', on: "if (outcome === 'committed')", off: 'if (false)' },
    ],
    tests: ['store/unanswered-commit.integration', 'durability/lost-commit.integration'],
  },
  {
    guarantee: 'G3',
    what: 'It is sent again under the id that it had.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'this.#relayAgain(message, message.proto',
        off: "this.#relayAgain({ ...message, messageid: message.messageid.slice(0, -2) + '00' }, message.proto",
      },
    ],
    tests: ['durability/dead-connections.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A message of a campaign, or under an `Idempotency-Key`, has the same id when the store lost its row.',
    switches: [
      {
        file: 'schemas/message-id.js',
        on: "digest('campaign', instance",
        off: "digest('campaign', Math.random(), instance",
      },
      { file: 'schemas/message-id.js', on: "digest('key', instance", off: "digest('key', Math.random(), instance" },
    ],
    tests: ['schemas/message-id.test', 'durability/once-across.faults'],
  },
  {
    guarantee: 'G3',
    what: 'A post of a channel that may be at WhatsApp is looked for before it is sent again: a channel shows it twice otherwise.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'await connection.channels.findPost(group, { messageid })',
        off: 'null',
      },
    ],
    tests: ['durability/channel-kills.faults'],
  },
  {
    guarantee: 'G3',
    what: 'Sessions from before the store went back encrypt nothing more, so that no message key is used twice.',
    switches: [
      {
        file: 'actors/network/baileys/signal-keys.js',
        on: 'indexInfo.closed = Date.now()',
        off: 'void indexInfo',
      },
    ],
    tests: ['baileys/outdated-keys.test'],
  },
  {
    guarantee: 'G3',
    what: 'A send that is asked of its next owner as well is answered by its row.',
    switches: [
      {
        file: 'actors/instance/sends/admission.js',
        on: 'command.isRepeat ? await askedBefore(context, parts, command) : null',
        off: 'null',
      },
    ],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G3',
    what: 'A message that was canceled after it had been read from the queue is not sent.',
    switches: [{ file: 'actors/instance/sends/send-queue.js', on: 'clearings !== this.#clearings', off: 'false' }],
    tests: ['sends/send-queue.test'],
  },
  {
    guarantee: 'G6',
    what: 'The time of the next asynchronous send is in the write of each one, so a restart is not followed by a burst.',
    switches: [{ file: 'actors/instance/pacer.js', on: '{ nextAtMs: loaded.nextAtMs }', off: '{}' }],
    tests: ['instance/pacer.test'],
  },
  {
    guarantee: 'G6',
    what: 'During a restriction of new chats no message leaves to people who never wrote, also after a restart.',
    switches: [
      {
        file: 'actors/instance/pacing/new-chats.js',
        on: 'if (restOfNew !== null && restOfNew.untilMs > nowMs) {',
        off: 'if (false) {',
      },
    ],
    tests: ['instance/pacer.test'],
  },
  {
    guarantee: 'G3',
    what: 'What a node was asked by another is good for one epoch.',
    switches: [{ file: 'runtime/cluster/router.js', on: 'owner.epoch !== servedEpoch', off: 'false' }],
    tests: ['cluster/router.test'],
  },
  {
    guarantee: 'G3',
    what: 'A node knows the message ids that others have asked it for.',
    switches: [{ file: 'runtime/cluster/router.js', on: 'this.#served.has(command.messageid)', off: 'false' }],
    tests: ['cluster/router.test'],
  },
  {
    guarantee: 'G3',
    what: 'A request between nodes is taken once.',
    switches: [
      { file: 'runtime/cluster/peers/served-wire.js', on: '!session.used.use(Number(signed.number))', off: 'false' },
    ],
    tests: ['peers/peers.test'],
  },
  {
    guarantee: 'G3',
    what: 'The answer under an `Idempotency-Key` is stored with the message row.',
    switches: [
      {
        file: 'actors/instance/sends/admission.js',
        on: 'const first = await reader.messageByIdempotencyKey(id, command.idempotencyKey);',
        off: 'const first = null;',
      },
    ],
    tests: ['gateway/messages.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A transaction that was sent ahead is made again when one of its messages was stored already.',
    switches: [
      { file: 'runtime/store/journal/message-inserts.js', on: 'rows.length < this.#all.length', off: 'false' },
    ],
    tests: ['store/journal.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A message that is stored already moves no chat and makes no event.',
    switches: [
      { file: 'runtime/store/journal/events.js', on: '!insertion?.isNew', off: 'insertion === undefined' },
      { file: 'runtime/store/journal/write-rows.js', on: 'if (insertion?.isNew &&', off: 'if (insertion &&' },
    ],
    tests: ['store/journal.integration'],
  },
  {
    guarantee: 'G3',
    what: 'Nothing is written that a session wrote on top of a write that was refused.',
    switches: [
      {
        file: 'runtime/store/journal/write-queue.js',
        on: '[...this.#underWay, ...this.#queue]',
        off: '[...this.#queue]',
      },
    ],
    tests: ['store/failures.integration'],
  },
  {
    guarantee: 'G3',
    what: 'What a session has stepped to is kept, so that no message key is used twice.',
    switches: [
      {
        file: 'actors/network/baileys/direct/relay.js',
        on: 'await keys.set({ session: after });',
        off: '',
      },
    ],
    tests: ['direct/relay.integration'],
  },
  {
    guarantee: 'G3',
    what: 'Signal operations of an account run one after the other.',
    switches: [
      {
        file: 'actors/network/baileys/signal-mutex.js',
        on: 'const mine = tail.then(run, run);',
        off: 'const mine = run();',
      },
    ],
    tests: ['baileys/signal-repository.test'],
  },
  {
    guarantee: 'G3',
    what: 'A session that failed to decrypt is put back as it was.',
    switches: [
      { file: 'actors/network/baileys/session-decryption.js', on: 'if (sessions.length < 2)', off: 'if (true)' },
    ],
    tests: ['baileys/session-decryption.test'],
  },
  {
    guarantee: 'G3',
    what: 'A call that WhatsApp repeats is reported once.',
    switches: [
      {
        file: 'runtime/store/journal/unique-events.js',
        on: 'if (this.#emitted.has(key))',
        off: 'if (false && this.#emitted.has(key))',
      },
    ],
    tests: ['gateway/calls.integration'],
  },
  {
    guarantee: 'G4',
    what: 'Sends to one chat stand in a lane.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'const mine = before.then(work, work);',
        off: 'const mine = work();',
      },
    ],
    tests: ['gateway/messages.integration'],
  },
  {
    guarantee: 'G4',
    what: 'A new message waits for what is sent again to its chat.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'await this.#isRead;\n            await this.#again.get(findLane(chat));',
        off: '',
      },
    ],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G2',
    what: 'Whoever stored a row for a connection that was replaced meanwhile has the pending rows read again.',
    switches: [
      {
        file: 'actors/instance/sends/relays.js',
        on: 'await this.#readPending();\n        return true;',
        off: 'return true;',
      },
    ],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G4',
    what: 'Received messages stand in line in the library too.',
    switches: [{ file: 'actors/network/baileys/inbound.js', on: "attrs.offline ??= '1';", off: '' }],
    tests: ['gateway/events.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A receipt that waits for others is acknowledged only when it is stored.',
    switches: [
      {
        file: 'actors/network/baileys/output-gate.js',
        on: "journal.settled(this.#isPatient ? 'soon' : undefined)",
        off: 'this.#isPatient ? undefined : journal.settled()',
      },
    ],
    tests: ['gateway/late-receipts'],
  },
  {
    guarantee: 'G4',
    what: 'A lane of deliveries is in one batch at a time.',
    switches: [{ file: 'runtime/delivery/lane-runner.js', on: 'if (this.#batchLanes.holds(key))', off: 'if (false)' }],
    tests: ['delivery/batches.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A delivery whose batch has failed is sent alone.',
    switches: [{ file: 'runtime/delivery/batch-runner.js', on: 'delivery.attempts === 0 &&', off: '' }],
    tests: ['delivery/batches.integration'],
  },
  {
    guarantee: 'G4',
    what: 'A lane of deliveries waits behind its head until that was taken.',
    switches: [
      {
        file: 'runtime/delivery/lane-runner.js',
        on: 'if (!isAllSettled || isCut)',
        off: 'if (isCut)',
      },
    ],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'G4',
    what: 'The stream of all instances waits for who may still commit before what it has seen.',
    switches: [{ file: 'runtime/delivery/stream-feed.js', on: '&& cursor > settled + 1', off: '&& false' }],
    tests: ['delivery/stream.integration'],
  },
  {
    guarantee: 'G6',
    what: 'An edit or a deletion that comes in changes only what its sender wrote.',
    switches: [
      {
        file: 'runtime/store/journal/message-updates.js',
        on: `AND (u.sender_pn IS NULL OR m."sender_pn" IN ('', u.sender_pn)) AND (u.sender_lid IS NULL OR m."sender_lid" IN ('', u.sender_lid))`,
        off: '',
      },
    ],
    tests: ['gateway/edits-and-deletions.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A receiver that fails is left alone but for a probe.',
    switches: [
      {
        file: 'runtime/delivery/lane-runner.js',
        on: 'if (!breakers.admit(target.url, key)) {\n            receivers',
        off: 'if (false) {\n            receivers',
      },
      {
        file: 'runtime/delivery/lane-runner.js',
        on: 'return breakers.admit(target.url, key);',
        off: 'return true;',
      },
    ],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Logins of a node are paced.',
    switches: [{ file: 'actors/token-bucket.js', on: 'while (tokens >= 1)', off: 'while (true)' }],
    tests: ['actors/token-bucket.test', 'durability/network-drop.faults'],
  },
  {
    guarantee: 'G6',
    what: 'A connection without traffic is dead, whatever its socket says.',
    switches: [
      {
        file: 'actors/network/baileys/watchdog.js',
        on: 'if (nowMs - traffic.lastFrameAtMs > silenceMaxMs)',
        off: 'if (false)',
      },
    ],
    tests: ['baileys/watchdog.test', 'durability/dead-connections.integration'],
  },
  {
    guarantee: 'G6',
    what: 'So is one whose messages are not acknowledged.',
    switches: [
      { file: 'actors/network/baileys/watchdog.js', on: 'if (isOver(unacknowledged, nowMs))', off: 'if (false)' },
    ],
    tests: ['durability/dead-connections.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Only the instance whose write is refused fails: the batch is split.',
    switches: [
      { file: 'runtime/store/journal/batch-writer.js', on: 'if (instances.length === 1) {', off: 'if (true) {' },
    ],
    tests: ['durability/refused-writes.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Only the instance whose row another transaction holds waits for it.',
    switches: [{ file: 'runtime/store/journal/batch-writer.js', on: 'if (isDelay(error))', off: 'if (false)' }],
    tests: ['store/failures.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A node whose database takes no writes is not ready.',
    switches: [{ file: 'runtime/node/health.js', on: 'if (journal.isFailing)', off: 'if (false)' }],
    tests: ['durability/disk-full.faults'],
  },
  {
    guarantee: 'G6',
    what: 'A job of the cluster that Redis does not bring runs where it is seen to be overdue.',
    switches: [
      {
        file: 'runtime/queues/cluster-jobs.js',
        on: 'if (this.#queue.isUsable && job.overdueMs < overdueMs)',
        off: 'if (true)',
      },
    ],
    tests: ['queues/cluster-jobs.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Accounts whose version WhatsApp refused return by themselves with a newer one.',
    switches: [
      {
        file: 'runtime/node/actors.js',
        on: "events.on('clientVersionChanged', () => host.versionChanged());",
        off: '',
      },
    ],
    tests: ['gateway/client-version'],
  },
  {
    guarantee: 'G6',
    what: 'A number of the version source that is no revision is not believed.',
    switches: [
      { file: 'runtime/queues/processors/client-version.js', on: 'if (refusal !== undefined)', off: 'if (false)' },
    ],
    tests: ['gateway/client-version'],
  },
  {
    guarantee: 'G3',
    what: 'A job of the cluster runs on one node at a time.',
    switches: [{ file: 'runtime/store/session-locks.js', on: 'if (rows[0]?.taken !== true)', off: 'if (false)' }],
    tests: ['queues/cluster-jobs.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A job of the cluster runs once for each time at which it is due.',
    switches: [{ file: 'runtime/store/cluster-jobs.js', on: 'if (due === undefined)\n        return null;', off: '' }],
    tests: ['queues/cluster-jobs.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A vote counts beside all that were received before it.',
    switches: [{ file: 'actors/network/baileys/poll-inbox.js', on: 'await journal.settled();', off: '' }],
    tests: ['gateway/polls.integration'],
  },
  {
    guarantee: 'secrets',
    what: 'Credentials and keys are encrypted in the store.',
    switches: [
      {
        file: 'runtime/store/encryption.js',
        on: 'cipher.update(data).copy(sealed, HEADER_BYTES);',
        off: 'cipher.update(data); data.copy(sealed, HEADER_BYTES);',
      },
    ],
    // Tests with a database do not start then: it checks its key.
    tests: ['store/encryption.test'],
  },
  {
    guarantee: 'secrets',
    what: 'What is under an old key is sealed again under the present one.',
    switches: [{ file: 'runtime/store/sealed-columns.js', on: '<> $1 THEN', off: '<> $1 AND false THEN' }],
    tests: ['gateway/key-rotation.integration'],
  },
  {
    guarantee: 'secrets',
    what: 'Keys of files and votes are not told.',
    switches: [{ file: 'actors/network/baileys/content.js', on: '&& !KEYS.has(key)', off: '' }],
    tests: ['gateway/leaks.integration'],
  },
  {
    guarantee: 'access',
    what: 'A key may do what the route declares, and nothing else.',
    switches: [{ file: 'api/dispatch.js', on: 'checkScope(route, caller.key);', off: ';' }],
    tests: ['api/keys.test'],
  },
  {
    guarantee: 'access',
    what: 'A key of one chat is held to it, whatever names another one.',
    switches: [
      { file: 'api/key-rights.js', on: 'if (!(await isOfChat(String(id))))', off: 'if (false)' },
      { file: 'api/key-rights.js', on: 'fields[keyChat.chat] = chat;', off: ';' },
    ],
    tests: ['cluster/tokens.integration'],
  },
  {
    guarantee: 'access',
    what: 'A key of one chat is held to the chat that is named.',
    switches: [{ file: 'api/key-rights.js', on: 'if (named !== chat &&', off: 'if (false &&' }],
    tests: ['api/keys.test'],
  },
  {
    guarantee: 'access',
    what: 'What one node does to tokens of administrators is heard on all.',
    switches: [{ file: 'runtime/cluster/hint-receiver.js', on: 'if (message.administrators)', off: 'if (false)' }],
    tests: ['cluster/tokens.integration'],
  },
  {
    guarantee: 'access',
    what: 'An ADMIN_TOKEN that was rotated away stays so.',
    switches: [
      {
        file: 'runtime/store/admin-tokens.js',
        on: 'ON CONFLICT DO NOTHING',
        off: 'ON CONFLICT (hash) DO UPDATE SET ends = NULL',
      },
    ],
    tests: ['store/admin-tokens.integration'],
  },
  {
    guarantee: 'access',
    what: 'A stream ends with its token.',
    switches: [{ file: 'api/app.js', on: 'if (isGood === false)', off: 'if (false)' }],
    tests: ['cluster/tokens.integration'],
  },
  {
    guarantee: 'access',
    what: 'Nothing administrative is done that is not written down.',
    switches: [{ file: 'api/dispatch.js', on: 'if (audit === undefined)', off: 'if (true)' }],
    tests: ['api/audit.test'],
  },
  {
    guarantee: 'G2',
    what: 'A part of the phone’s history is written with the ratchet step that decrypted it, before its receipt leaves.',
    switches: [
      {
        file: 'actors/network/baileys/history-parts.js',
        on: "journal.write([{ type: 'keys', entries: [{ kind: KIND, id: part.id, value: encode(part) }] }]).catch",
        off: 'Promise.resolve().catch',
      },
    ],
    tests: ['baileys/history-parts.test'],
  },
  {
    guarantee: 'G2',
    what: 'A part of the history that is not stored is tried again, by the same connection too.',
    switches: [
      {
        file: 'actors/network/baileys/history-parts.js',
        on: 'this.#retry !== undefined || !this.#isLive',
        off: 'true',
      },
    ],
    tests: ['baileys/history-parts.test'],
  },
  {
    guarantee: 'G2',
    what: 'A part of the history is given up by its age only if it cannot be read either: clocks may be wrong.',
    switches: [
      {
        file: 'actors/network/baileys/history-parts.js',
        on: '(await this.#read(part, true)) || !this.#isLive || ageMs <= UNREAD_MAX_MS',
        off: 'ageMs <= UNREAD_MAX_MS && (await this.#read(part, true))',
      },
    ],
    tests: ['baileys/history-parts.test'],
  },
  {
    guarantee: 'G2',
    what: 'What is old is old by PostgreSQL’s clock, whatever those of the nodes say.',
    switches: [
      {
        file: 'runtime/store/retention.js',
        on: 'return await this.#deleteInBatches(statement, [keepMs]);',
        off: `return await this.#deleteInBatches(statement.replace('now()', \`to_timestamp(\${Date.now() / 1000})\`), [keepMs]);`,
      },
    ],
    tests: ['store/retention.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A refusal is repeated under its `Idempotency-Key` as a refusal.',
    switches: [{ file: 'actors/instance/sends/admission.js', on: "if (row.status === 'failed')", off: 'if (false)' }],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G3',
    what: 'A send that left while it was to be canceled is not marked as canceled.',
    switches: [{ file: 'actors/instance/sends/sends.js', on: "if (row?.status !== 'queued')", off: 'if (false)' }],
    tests: ['sends/sends.test'],
  },
  {
    guarantee: 'G4',
    what: 'A delayed send waits for what was queued for its chat before it.',
    switches: [{ file: 'actors/instance/sends/delayed-sends.js', on: 'await queue.former(messageid, chat);', off: '' }],
    tests: ['gateway/queue.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A connect waits for a removal, and does not use what is being removed.',
    switches: [
      { file: 'actors/instance/session.js', on: 'await this.#removal;', off: '' },
      {
        file: 'actors/instance/session.js',
        on: 'await this.#parts.journal.settled()?.catch(() => { });\n        if (this.status',
        off: 'if (this.status',
      },
    ],
    tests: ['gateway/disconnects.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Old rows are deleted by one node of a cluster.',
    switches: [
      {
        file: 'runtime/store/retention.js',
        on: 'return rowCount === 0 ? null : await run(signal);',
        off: 'return await run(signal);',
      },
    ],
    tests: ['store/retention.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Old rows are deleted in batches.',
    switches: [{ file: 'runtime/store/retention.js', on: 'options.batchRows ?? 1_000', off: '1_000_000' }],
    tests: ['store/retention.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A bug in the gateway is reported as one, and not as trouble of the store.',
    switches: [
      {
        file: 'schemas/program-error.js',
        on: "if (error instanceof GatewayError)\n        return error.code === 'INTERNAL';",
        off: 'return false;',
      },
    ],
    tests: ['gateway/program-errors.integration', 'store/failures.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A turn, job, delivery or reply from Chatwoot over which a node ended itself twice is given up.',
    switches: [{ file: 'runtime/store/blocked-work.js', on: 'known.has(formatKey(work))', off: 'false' }],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A message over which a node ended itself twice is stored with its bytes, and not read again.',
    switches: [{ file: 'actors/network/baileys/inbound.js', on: 'if (!isGivenUp)', off: 'if (true)' }],
    tests: ['baileys/inbound.test'],
  },
  {
    guarantee: 'limits',
    what: 'Campaigns wait while the event loop of their node is busy, so that all other work goes before them.',
    switches: [
      {
        file: 'actors/campaigns/campaigns.js',
        on: 'if (reads && !this.#nodeTurns.takes())',
        off: 'if (false)',
      },
    ],
    tests: ['actors/campaigns/campaigns.test'],
  },
  {
    guarantee: 'limits',
    what: 'What waits for a receiver for too long becomes a dead letter.',
    switches: [{ file: 'runtime/delivery/backlog-sweep.js', on: 'if (ageMs > ageMaxMs) {', off: 'if (false) {' }],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Of the work that is dear, calls with files, searches and lists, an instance has some at once.',
    switches: [{ file: 'lib/owner-slots.js', on: 'if (turns.active < max)', off: 'if (true)' }],
    tests: ['lib/owner-slots.test', 'api/turns.test'],
  },
  {
    guarantee: 'limits',
    what: 'A list that is made while it is sent holds its turn until its end.',
    switches: [{ file: 'api/dispatch.js', on: 'if (ctx.body instanceof Readable)', off: 'if (false)' }],
    tests: ['api/turns.test'],
  },
  {
    guarantee: 'limits',
    what: 'A free place for work goes to the instance that has used places for the least time.',
    switches: [{ file: 'runtime/work/fair-shares.js', on: 'usedMs >= leastMs', off: 'chosen !== undefined' }],
    tests: ['work/work-line.test'],
  },
  {
    guarantee: 'limits',
    what: 'A free connection to PostgreSQL goes to the instance that has used connections for the least time.',
    switches: [
      {
        file: 'runtime/store/shared-pool.js',
        on: "typeof value === 'string' && IS_INSTANCE.test(value)",
        off: "typeof value === 'never'",
      },
    ],
    tests: ['store/timed-search.integration'],
  },
  {
    guarantee: 'limits',
    what: 'A lane of webhooks to a slow receiver gives its place to others after a while.',
    switches: [
      { file: 'runtime/delivery/lane-runner.js', on: 'const TURN_MS = 500;', off: 'const TURN_MS = 500_000;' },
    ],
    tests: ['delivery/places.integration'],
  },
  {
    guarantee: 'limits',
    what: 'A place at a receiver is free while outcomes are written.',
    switches: [{ file: 'runtime/delivery/lane-runner.js', on: 'this.#recording >= recordingMax', off: 'true' }],
    tests: ['delivery/places.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Deliveries run ahead of their outcomes in a limited number of lanes.',
    switches: [{ file: 'runtime/delivery/lane-runner.js', on: 'this.#recording >= recordingMax', off: 'false' }],
    tests: ['delivery/places.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Work whose far side is silent uses no place.',
    switches: [{ file: 'runtime/work/place.js', on: "this.#state = 'lent';", off: 'return;' }],
    tests: ['work/work-line.test'],
  },
  {
    guarantee: 'limits',
    what: "The webhooks of an instance get a share of a node's slots.",
    switches: [
      {
        file: 'runtime/delivery/receiver-sides.js',
        on: 'return active + kept < this.#limits.ownerLanesMax(name);',
        off: 'return true;',
      },
    ],
    tests: ['delivery/receivers.test', 'delivery/webhooks.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A delivery that is put off for longer than any delay, by a clock that is wrong, is tried.',
    switches: [{ file: 'runtime/delivery/lane-head.js', on: '|| dueInMs > ceilingMs', off: '' }],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Names are resolved in the turn of the instance that they are for.',
    switches: [
      {
        file: 'runtime/outgoing/lookups.js',
        on: 'turns.run(owner, () => askOnce(hostname))',
        off: 'askOnce(hostname)',
      },
    ],
    tests: ['outgoing/lookups.test'],
  },
  {
    guarantee: 'limits',
    what: 'An instance has some event streams at once.',
    switches: [{ file: 'runtime/delivery/stream.js', on: '(feeds.get(instance)?.size ?? 0) >= ownMax', off: 'false' }],
    tests: ['delivery/stream.test'],
  },
  {
    guarantee: 'limits',
    what: 'Slow searches of one instance leave a connection to those of others.',
    switches: [{ file: 'runtime/store/timed-search.js', on: 'Math.max(1, atOnce - 1)', off: 'atOnce' }],
    tests: ['store/timed-search.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Answers that are kept for repeated calls are not counted for each call.',
    switches: [{ file: 'runtime/store/counted-room.js', on: 'this.#counts.set(owner, counted);', off: ';' }],
    tests: ['store/kept-answers.integration'],
  },
  {
    guarantee: 'limits',
    what: 'A page of messages ends before its texts stop the event loop.',
    switches: [
      { file: 'runtime/store/message-search.js', on: 'PAGE_BYTES_MAX = 2 * 2 ** 20', off: 'PAGE_BYTES_MAX = 2 ** 40' },
    ],
    tests: ['store/messages.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Lists of groups are read and sent in parts.',
    switches: [{ file: 'runtime/store/groups.js', on: 'const CHUNK = 5;', off: 'const CHUNK = 5_000;' }],
    tests: ['store/groups.integration'],
  },
  {
    guarantee: 'limits',
    what: 'The body of a call is not read before the turn of its instance comes.',
    switches: [
      { file: 'api/dispatch.js', on: 'await turn;', off: ';' },
      { file: 'api/mcp/endpoint.js', on: 'await turn;', off: ';' },
    ],
    tests: ['api/turns.test'],
  },
  {
    guarantee: 'limits',
    what: 'Of larger bodies of one caller some are on their way at once; the others wait, unread.',
    switches: [{ file: 'api/dispatch.js', on: 'isLargeBody(ctx.req) ?', off: 'false ?' }],
    tests: ['api/turns.test'],
  },
  {
    guarantee: 'limits',
    what: 'When all connections are taken, idle ones of the address with the most make room.',
    switches: [{ file: 'api/server.js', on: 'if (this.#count >= this.#max)', off: 'if (false)' }],
    tests: ['api/server.test'],
  },
  {
    guarantee: 'limits',
    what: 'The larger body of a call that is refused is not read.',
    switches: [{ file: 'api/server.js', on: 'leaveUnread(request, response);', off: ';' }],
    tests: ['api/server.test'],
  },
  {
    guarantee: 'limits',
    what: 'PostgreSQL ends a search that takes too long.',
    switches: [
      {
        file: 'runtime/store/timed-search.js',
        on: 'READ ONLY; SET LOCAL statement_timeout =',
        off: 'READ ONLY; SET LOCAL idle_in_transaction_session_timeout =',
      },
    ],
    tests: ['store/timed-search.integration'],
  },
  {
    guarantee: 'limits',
    what: 'The keys and values of a body are counted before it is parsed.',
    switches: [{ file: 'api/input/json-body.js', on: 'if (exceeded !== null)', off: 'if (false)' }],
    tests: ['input/cost.test', 'input/large-body.test'],
  },
  {
    guarantee: 'limits',
    what: 'What a part of the history unpacks to is measured before it is read.',
    switches: [{ file: 'actors/network/baileys/history-size.js', on: 'if (size > bytesMax)', off: 'if (false)' }],
    tests: ['baileys/history-parts.test'],
  },
  {
    guarantee: 'limits',
    what: 'So are its fields, each of which becomes an object.',
    switches: [
      { file: 'actors/network/baileys/history-size.js', on: 'if (hasMoreFields(bytes, fieldsMax))', off: 'if (false)' },
    ],
    tests: ['baileys/history-parts.test'],
  },
  {
    guarantee: 'limits',
    what: 'Signal operations of all accounts together leave the event loop to others.',
    switches: [
      {
        file: 'actors/network/baileys/signal-mutex.js',
        on: 'for (let pause = nextLoopSlice(); pause !== undefined; pause = nextLoopSlice())\n                await pause;',
        off: '',
      },
    ],
    tests: ['baileys/signal-mutex.test'],
  },
  {
    guarantee: 'limits',
    what: 'A first message to a new person writes one row, however many people are known.',
    switches: [
      {
        file: 'actors/network/baileys/privacy-tokens.js',
        on: 'ids.filter((id) => id !== INDEX) : ids',
        off: 'ids : ids',
      },
      {
        file: 'actors/network/baileys/privacy-tokens.js',
        on: 'if (tokens === undefined || !(INDEX in tokens))',
        off: 'if (true)',
      },
    ],
    tests: ['baileys/privacy-tokens.test'],
  },
  {
    guarantee: 'secrets',
    what: 'A public key of low order is refused: its secret would be known to everybody.',
    switches: [{ file: 'actors/network/baileys/x25519.js', on: 'if (shared.equals(ZEROS))', off: 'if (false)' }],
    tests: ['baileys/x25519.test'],
  },
  {
    guarantee: 'access',
    what: 'A web page may call from the origins that are allowed, and from no other.',
    switches: [{ file: 'api/app.js', on: '!(isForAll || allowed.has(origin))', off: 'false' }],
    tests: ['api/cors.test'],
  },
  {
    guarantee: 'access',
    what: 'An imported file writes rows of the one instance that it names.',
    switches: [
      { file: 'runtime/store/transfer/row-checks.js', on: 'if (row[table.instance] !== instance)', off: 'if (false)' },
    ],
    tests: ['transfer/hostile-file.integration'],
  },
  {
    guarantee: 'access',
    what: 'Webhooks of an imported file are checked as the API checks them.',
    switches: [
      {
        file: 'runtime/store/transfer/write-instance.js',
        on: 'await checkWebhook(webhook).catch(',
        off: 'await Promise.resolve().catch(',
      },
    ],
    tests: ['transfer/hostile-file.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Who wants a page that another account has waiting does not wait for that one’s turn.',
    switches: [
      {
        file: 'runtime/outgoing/link-preview.js',
        on: 'this.#inSlot(owner, (turn) => this.#makeOnce(url, turn))',
        off: '(() => { const started = this.#inSlot(owner, (turn) => this.#make(url, turn)); this.#underWay.set(url, started); return started; })()',
      },
    ],
    tests: ['outgoing/link-preview.test'],
  },
  {
    guarantee: 'limits',
    what: 'Lengths are checked before the schema, so that what is too long costs little.',
    switches: [{ file: 'api/input/validation.js', on: 'bounds: boundsFor(located, registry)', off: 'bounds: null' }],
    tests: ['input/tolerance.test'],
  },
  {
    guarantee: 'limits',
    what: 'A body has a limit of files.',
    switches: [{ file: 'api/input/body-files.js', on: 'this.#all.length >= FILES_COUNT_MAX', off: 'false' }],
    tests: ['input/large-body.test'],
  },
  {
    guarantee: 'limits',
    what: 'Frames of an imported file are full, so that its size bounds their number.',
    switches: [
      {
        file: 'runtime/store/transfer/sealed-file.js',
        on: 'isLast ? length <= FRAME_BYTES : length === FRAME_BYTES',
        off: 'length <= FRAME_BYTES',
      },
    ],
    tests: ['transfer/sealed-file.test'],
  },
  {
    guarantee: 'limits',
    what: 'No call keeps a connection for long because a row that it wants is locked.',
    switches: [
      {
        file: 'runtime/store/in-transaction.js',
        on: 'const LOCK_TIMEOUT_MS = 5_000;',
        off: 'const LOCK_TIMEOUT_MS = 0;',
      },
    ],
    tests: ['store/failures.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Privacy tokens are not all removed because a clock says that all have expired.',
    switches: [{ file: 'actors/network/baileys/privacy-tokens.js', on: '!hasFresh || isClosed()', off: 'isClosed()' }],
    tests: ['baileys/privacy-tokens.test'],
  },
  {
    guarantee: 'access',
    what: 'A pass opens nothing when the token from which it was made has ended.',
    switches: [
      {
        file: 'runtime/store/passes.js',
        on: 'THEN EXISTS (SELECT FROM admin_token AS a',
        off: 'THEN TRUE OR EXISTS (SELECT FROM admin_token AS a',
      },
    ],
    tests: ['store/passes.integration'],
  },
  {
    guarantee: 'access',
    what: 'A pass ends with the pass with which it was made.',
    switches: [
      {
        file: 'runtime/store/passes.js',
        on: 'p.parent_pass IS NULL OR EXISTS',
        off: 'TRUE OR EXISTS',
      },
      { file: 'runtime/store/passes.js', on: 'await client.query(END_CHILDREN, [id]);', off: '' },
    ],
    tests: ['store/passes.integration'],
  },
  {
    guarantee: 'access',
    what: 'A pass that is in use ends after its life all the same.',
    switches: [
      {
        file: 'runtime/store/passes.js',
        on: 'SET idle_ends = least(ends, greatest(idle_ends,',
        off: 'SET idle_ends = least(NULL, greatest(idle_ends,',
      },
    ],
    tests: ['store/passes.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Passes of one token are made one after the other, so that many at once do not make too many.',
    switches: [
      {
        file: 'runtime/store/passes.js',
        on: 'await client.query(LOCK_PARENT, [parentHash]);',
        off: '',
      },
    ],
    tests: ['store/passes.integration'],
  },
  {
    guarantee: 'G6',
    what: 'A page of instances starts after the last row of the one before: none is skipped or shown twice.',
    switches: [
      {
        file: 'runtime/store/instance-search.js',
        on: ', i.id) $',
        off: ', NULL::text) $',
      },
    ],
    tests: ['store/instance-search.integration'],
  },
  {
    guarantee: 'G1',
    what: 'A session of another gateway is not taken over while an instance has its account.',
    switches: [
      {
        file: 'runtime/store/transfer/session-import.js',
        on: 'await refuseKnownAccount(client, session);',
        off: '',
      },
    ],
    tests: ['gateway/session-import.integration'],
  },
  {
    guarantee: 'limits',
    what: 'What the session of another gateway unpacks to is measured while it is unpacked.',
    switches: [
      {
        file: 'runtime/store/transfer/session-files.js',
        on: 'if (size > UNPACKED_MAX)',
        off: 'if (false)',
      },
    ],
    tests: ['transfer/session-files.test'],
  },
  {
    guarantee: 'G6',
    what: 'Nothing of an account leaves beside its proxy, unless its owner has said so.',
    switches: [
      {
        file: 'actors/network/route/route.js',
        on: "if (settings.fallback === 'never')",
        off: 'if (false)',
      },
      {
        file: 'actors/network/route/route.js',
        on: "if (fallback !== 'none') {",
        off: "if (fallback !== 'none' && fallback !== 'never') {",
      },
    ],
    tests: ['route/route.test'],
  },
  {
    guarantee: 'G6',
    what: 'Requests of the WhatsApp library that name no route are refused, since they would leave beside the proxy.',
    switches: [
      {
        file: 'actors/network/baileys/media/hosts.js',
        on: 'if (dispatcher === undefined)',
        off: "if (dispatcher === undefined) return new Response('beside'); if (false)",
      },
    ],
    tests: ['media/hosts.test'],
  },
  {
    guarantee: 'G2',
    what: 'An instance whose pairing began after the search for abandoned ones is not deleted as one.',
    switches: [
      {
        file: 'runtime/store/unpaired-instances.js',
        on: 'WHERE i.id = $2 AND ',
        off: 'WHERE i.id = $2 OR FALSE AND ',
      },
    ],
    tests: ['store/unpaired-instances.integration'],
  },
  {
    guarantee: 'G2',
    what: 'An instance that has chats, or a number, is not deleted as one that was never paired.',
    switches: [
      {
        file: 'runtime/store/unpaired-instances.js',
        on: 'AND NOT EXISTS (SELECT FROM chat AS c WHERE c.instance_id = i.id)',
        off: '',
      },
    ],
    tests: ['store/unpaired-instances.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A recipient of a campaign who was taken is not taken again: the write that tries it is undone, with its message.',
    switches: [
      {
        file: 'runtime/store/journal/campaign-changes.js',
        on: 'SELECT campaign_refuse(u.folder_id, u.ordinal) FROM u',
        off: 'SELECT 1 FROM u',
      },
    ],
    tests: ['store/campaigns/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'The pause after a send of a campaign is stored with the send: who takes over sends no sooner.',
    switches: [
      {
        file: 'runtime/store/journal/campaign-changes.js',
        on: "next_at = now() + n.next_in * interval '1 millisecond'",
        off: 'next_at = p.next_at',
      },
    ],
    tests: ['store/campaigns/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A receipt counts a recipient of a campaign only in the states that were not reached before.',
    switches: [
      {
        file: 'runtime/store/journal/write-rows.js',
        on: 'FILTER (WHERE before < 2 AND after BETWEEN 2 AND 5) AS sent',
        off: 'FILTER (WHERE after BETWEEN 2 AND 5) AS sent',
      },
    ],
    tests: ['store/campaigns/campaigns.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Recipients of a campaign are deleted only when it is being deleted.',
    switches: [
      {
        file: 'runtime/store/journal/campaign-changes.js',
        on: "AND EXISTS (SELECT FROM campaign WHERE instance_id = $1 AND id = $2 AND status = 'deleting')",
        off: '',
      },
    ],
    tests: ['store/campaigns/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A slice of an imported list is stored once: a call that was overtaken stores nothing.',
    switches: [
      {
        file: 'runtime/store/campaigns/imports.js',
        on: 'AND last_line = $3 FOR UPDATE',
        off: 'AND $3::int IS NOT NULL FOR UPDATE',
      },
    ],
    tests: ['campaigns/recipient-import.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A person who stands in a former slice of a list is left out, and takes no ordinal.',
    switches: [{ file: 'runtime/store/campaigns/imports.js', on: 'if (hasGaps)', off: 'if (false)' }],
    tests: ['campaigns/recipient-import.integration'],
  },
  {
    guarantee: 'G2',
    what: 'An import that broke off is deleted with its recipients when nobody has repeated it for a day.',
    switches: [
      {
        file: 'runtime/store/campaigns/imports.js',
        on: 'await removeRecipients(pool, instance, folderId);\n    }\n}',
        off: '}\n}',
      },
    ],
    tests: ['campaigns/recipient-import.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A recipient of a campaign whom WhatsApp refuses for now (463, 429) is parked, and gets the message later.',
    switches: [{ file: 'actors/campaigns/refused-messages.js', on: "if (after.next === 'fail')", off: 'if (true)' }],
    tests: ['gateway/limits.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Recipients whom WhatsApp refuses for the rate (429) wait for its end, and not for a person to write.',
    switches: [{ file: 'actors/campaigns/refused-messages.js', on: 'if (error === TOO_MANY)', off: 'if (false)' }],
    tests: ['gateway/limits.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A campaign sends no more messages in a day than its maximum.',
    switches: [{ file: 'actors/campaigns/campaign-step.js', on: 'if (cappedMs > 0)', off: 'if (false)' }],
    tests: ['gateway/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A person who has got as many messages of campaigns as a campaign allows is left out.',
    switches: [
      {
        file: 'actors/campaigns/campaign-step.js',
        on: 'if (recipient.isTooFrequent && recipient.attempts === 0)',
        off: 'if (false)',
      },
    ],
    tests: ['gateway/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A person who is suppressed when the turn comes gets nothing of a campaign.',
    switches: [{ file: 'actors/campaigns/campaign-step.js', on: 'if (recipient.isSuppressed)', off: 'if (false)' }],
    tests: ['gateway/campaigns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A number that was looked up is not looked up again by the next campaign.',
    switches: [
      {
        file: 'runtime/store/reader.js',
        on: 'WHEN found IS NULL THEN interval',
        off: 'WHEN found IS NULL THEN -1 * interval',
      },
    ],
    tests: ['gateway/campaigns.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Campaigns of an instance look up a limited count of numbers in a day.',
    switches: [{ file: 'actors/campaigns/number-checks.js', on: 'perDay > 0 && this.#today >= perDay', off: 'false' }],
    tests: ['gateway/campaigns.integration'],
  },
  {
    guarantee: 'limits',
    what: 'The recipients of an instance are bounded while an import stores them, those of other imports included.',
    switches: [{ file: 'runtime/store/campaigns/imports.js', on: 'await checkStored(client, instance, 0);', off: '' }],
    tests: ['campaigns/recipient-import.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Imports that wait for another creation of their instance hold no connection to PostgreSQL.',
    switches: [
      {
        file: 'runtime/store/campaigns/imports.js',
        on: 'begin: (instance, key) => inSlot(instance, async',
        off: 'begin: (instance, key) => inTransaction(pool, async',
      },
    ],
    tests: ['campaigns/recipient-import.integration'],
  },
  {
    guarantee: 'limits',
    what: 'An instance that imports many lists leaves places of the node to others.',
    switches: [
      {
        file: 'runtime/work/work.js',
        on: 'recipient_list: { atOnce: 8, keptForOthers: 2, ownerMax: 4,',
        off: 'recipient_list: { atOnce: 8, keptForOthers: 2, ownerMax: 8,',
      },
    ],
    tests: ['campaigns/recipient-import.test'],
  },
  {
    guarantee: 'limits',
    what: 'A node takes a few lists of an instance at once.',
    switches: [{ file: 'api/app.js', on: 'const LISTS_AT_ONCE = 4;', off: 'const LISTS_AT_ONCE = 5;' }],
    tests: ['api/list-body.test'],
  },
  {
    guarantee: 'G2',
    what: 'People of campaigns are kept as long as a frequency cap may ask for them.',
    switches: [{ file: 'runtime/store/retention.js', on: 'const KEPT_DAYS = 366;', off: 'const KEPT_DAYS = 364;' }],
    tests: ['store/retention.integration'],
  },
  {
    guarantee: 'limits',
    what: 'A list that is the body of a call is cut off at the size that is allowed.',
    switches: [{ file: 'api/input/list-body.js', on: 'if (sizeBytes > fileBytesMax)', off: 'if (false)' }],
    tests: ['api/list-body.test'],
  },
  {
    guarantee: 'G2',
    what: 'A list whose connection is cut is not imported, and leaves no file.',
    switches: [{ file: 'api/input/list-body.js', on: 'await dispose();', off: '' }],
    tests: ['api/list-body.test'],
  },
  {
    guarantee: 'G2',
    what: 'A campaign that is being created while its instance is exported is stored before the mark, and travels.',
    switches: [
      { file: 'runtime/store/transfer/instance-transfer.js', on: 'await client.query(CREATION_LOCK, [id]);', off: '' },
    ],
    tests: ['transfer/instance-transfer.integration'],
  },
  {
    guarantee: 'G2',
    what: 'An instance is not exported while an unfinished campaign would stay behind, or its files would.',
    switches: [
      {
        file: 'runtime/store/transfer/instance-transfer.js',
        on: 'await checkCampaigns(client, id, messages);',
        off: '',
      },
    ],
    tests: ['transfer/instance-transfer.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A parked message leaves though its person wrote while the campaign looked at the first parked recipient.',
    switches: [
      {
        file: 'actors/campaigns/campaign-holds.js',
        on: 'if (released !== this.#released)',
        off: 'if (Number.isNaN(released))',
      },
    ],
    tests: ['campaigns/campaign-holds.test'],
  },
  {
    guarantee: 'access',
    what: 'A campaign of an imported file cannot name a file of another instance.',
    switches: [{ file: 'runtime/store/transfer/campaign-rules.js', on: ' && !namesFile(content)', off: '' }],
    tests: ['transfer/hostile-file.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Files of a campaign are kept while it is listed, also for a copy of a copy.',
    switches: [
      {
        file: 'runtime/store/media-files.js',
        on: 'AND NOT EXISTS (SELECT FROM listed AS l WHERE l.name = f.name AND l.bytes <= $4::bigint)',
        off: '',
      },
    ],
    tests: ['media/sweep.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Files of ended campaigns are kept up to a number of bytes for each instance.',
    switches: [
      { file: 'runtime/store/media-files.js', on: 'AND l.bytes <= $4::bigint', off: 'AND $4::bigint IS NOT NULL' },
    ],
    tests: ['media/sweep.integration'],
  },
  {
    guarantee: 'G3',
    what: 'The time of the next asynchronous send is stored: a restart sends no sooner.',
    switches: [
      {
        file: 'actors/instance/pacer.js',
        on: 'this.#loaded.nextAtMs = Math.min(nextAtMs ?? 0,',
        off: 'this.#loaded.nextAtMs = Math.min(0,',
      },
    ],
    tests: ['instance/pacer.test'],
  },
  {
    guarantee: 'G6',
    what: 'A time that was stored under a wrong clock is brought near.',
    switches: [
      {
        file: 'actors/instance/pacer.js',
        on: 'nowMs + 2 * this.#longestDelayMs()',
        off: 'Number.POSITIVE_INFINITY',
      },
    ],
    tests: ['instance/pacer.test'],
  },
  {
    guarantee: 'limits',
    what: 'Sends that nobody waits for keep the rate of their instance.',
    switches: [
      {
        file: 'actors/instance/pacer.js',
        on: "return waitMs > 0 ? { waitMs, reason: 'rate' } : { now: true };",
        off: 'return { now: true };',
      },
    ],
    tests: ['instance/pacer.test'],
  },
  {
    guarantee: 'G6',
    what: 'A scheduled message that is too late is failed and says so; it is not sent at another time.',
    switches: [
      {
        file: 'actors/instance/sends/departures.js',
        on: 'performance.now() + scheduled.lateMs - scheduled.expireAfterMs',
        off: 'Number.NEGATIVE_INFINITY',
      },
    ],
    tests: ['gateway/scheduled.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A chat has one open turn of an agent, which the next messages join: a burst gets one answer.',
    switches: [
      { file: 'runtime/store/journal/agent-openings.js', on: "state = 'waiting' AS joins", off: 'false AS joins' },
    ],
    tests: ['store/agents/agent-turns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'An answer of an agent is stored before it is sent; after that the model is not asked again.',
    switches: [
      { file: 'actors/agents/turns.js', on: "if (turn.state === 'replying')", off: 'if (turn.id === undefined)' },
    ],
    tests: ['agents/turns.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A part of an answer becomes a message in the write that marks it as sent, or that write fails.',
    switches: [
      {
        file: 'runtime/store/journal/agent-turn-changes.js',
        on: 'SELECT agent_refuse($2, $4::int) WHERE NOT EXISTS (SELECT FROM sent)',
        off: 'SELECT $2, $4::int',
      },
    ],
    tests: ['store/agents/agent-turns.integration'],
  },
  {
    guarantee: 'G6',
    what: 'Before each part of an answer, an agent looks whether it must be silent in the chat.',
    switches: [{ file: 'actors/agents/turn-replies.js', on: 'if (halt !== null)', off: 'if (halt === undefined)' }],
    tests: ['agents/turns.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Agents of an instance have a number of turns a day.',
    switches: [{ file: 'actors/agents/turn-checks.js', on: 'if (turns >= turnsPerDay)', off: 'if (turns < 0)' }],
    tests: ['agents/turn-checks.test'],
  },
  {
    guarantee: 'limits',
    what: 'Agents of an instance have a number of tokens a day, those of calls under way included.',
    switches: [
      {
        file: 'actors/agents/turn-checks.js',
        on: 'if (reserved + tokensIn + tokensOut + tokens > tokensPerDay)',
        off: 'if (tokens < 0)',
      },
    ],
    tests: ['agents/turn-checks.test'],
  },
  {
    guarantee: 'limits',
    what: 'A call of a model whose end nobody knows counts by its estimate when its turn asks again, and the rest that was reserved returns.',
    switches: [
      {
        file: 'runtime/store/journal/agent-turn-changes.js',
        on: 'return [[ABANDONED, [instance, change.turn]], composeAsk(of, change)]',
        off: 'return [composeAsk(of, change)]',
      },
    ],
    tests: ['store/agents/agent-turns.integration'],
  },
  {
    guarantee: 'limits',
    what: 'The next owner of an instance ends what is reserved for calls of models that its former owner had under way.',
    switches: [
      {
        file: 'runtime/store/journal/agent-turn-changes.js',
        on: 'return [[ABANDONED, [instance, null]]];',
        off: 'return [];',
      },
    ],
    tests: ['store/agents/agent-turns.integration'],
  },
  {
    guarantee: 'limits',
    what: 'Agents of an instance spend no more money a day than its owner allows.',
    switches: [
      { file: 'actors/agents/turn-checks.js', on: 'isBounded && costMicros + planned >', off: 'isBounded && 0 >' },
    ],
    tests: ['agents/turn-checks.test'],
  },
  {
    guarantee: 'limits',
    what: 'An agent that talks to another bot is silent in that chat for an hour.',
    switches: [{ file: 'actors/agents/turn-checks.js', on: 'if (loop !== null)', off: 'if (loop === undefined)' }],
    tests: ['agents/turn-checks.test'],
  },
  {
    guarantee: 'G6',
    what: 'Chunks of a knowledge entry that was edited while it was read are dropped.',
    switches: [
      {
        file: 'runtime/store/agents/knowledge-work.js',
        on: 'AND updated = $3::timestamptz RETURNING generation',
        off: 'AND $3::text IS NOT NULL RETURNING generation',
      },
    ],
    tests: ['knowledge/knowledge.integration'],
  },
  {
    guarantee: 'secrets',
    what: 'Answers show only how the key of an agent begins and ends.',
    switches: [{ file: 'schemas/agents/key-mask.js', on: 'key.slice(-4)', off: 'key' }],
    tests: ['gateway/agent-records.integration'],
  },
  {
    guarantee: 'access',
    what: 'A key that its provider refuses is not stored.',
    switches: [
      {
        file: 'runtime/agents/agent-checks.js',
        on: "throw refusal('agent.apikey', error);",
        off: "return unchecked('agent.apikey', error);",
      },
    ],
    tests: ['agents/agent-checks.test'],
  },
  {
    guarantee: 'G3',
    what: 'A message whose answer was lost is looked for at Chatwoot before it is made again.',
    switches: [
      {
        file: 'runtime/chatwoot/message-carriage.js',
        on: 'isNew ? null : await findMade(place, conversationId, carriage.source)',
        off: 'null',
      },
    ],
    tests: ['gateway/chatwoot.integration'],
  },
  {
    guarantee: 'G2',
    what: 'Replies of Chatwoot that were refused while a node was away are looked for when its API listens.',
    switches: [{ file: 'runtime/node/chatwoot.js', on: 'noted(recovery.lookAtShards(taken(waiting)));', off: '' }],
    tests: ['gateway/chatwoot-away'],
  },
  {
    guarantee: 'G2',
    what: 'A look for replies of Chatwoot that failed is repeated.',
    switches: [
      {
        file: 'runtime/chatwoot/recovery.js',
        on: 'this.#owed.set(instance, { failures, dueMs });',
        off: 'this.#owed.delete(instance);',
      },
    ],
    tests: ['chatwoot/recovery'],
  },
  {
    guarantee: 'G3',
    what: 'Replies that were written in an inbox of Chatwoot before it was taken are left alone.',
    switches: [
      {
        file: 'runtime/store/chatwoot/config-rows.js',
        on: 'created = CASE WHEN $13 THEN now() ELSE c.created END',
        off: 'created = CASE WHEN $13 THEN c.created ELSE c.created END',
      },
    ],
    tests: ['gateway/chatwoot-moves'],
  },
  {
    guarantee: 'G3',
    what: 'Deliveries forget a receiver whose settings of Chatwoot were written here.',
    switches: [{ file: 'runtime/node/delivery.js', on: 'webhooks.refresh([webhookId])', off: 'undefined' }],
    tests: ['gateway/chatwoot-options'],
  },
  {
    guarantee: 'G2',
    what: 'A job of the cluster that Redis lost while a node took it leaves nothing in Redis.',
    switches: [{ file: 'runtime/queues/cluster-jobs.js', on: 'Object.assign(opts, REMOVED_AT_END);', off: '' }],
    tests: ['queues/cluster-jobs'],
  },
  {
    guarantee: 'G2',
    what: 'Replies of Chatwoot that wait are sent although there is no room for those that were refused before them.',
    switches: [{ file: 'runtime/chatwoot/replies.js', on: "error.code === 'QUEUE_FULL'", off: 'false' }],
    tests: ['gateway/chatwoot-moves'],
  },
  {
    guarantee: 'G4',
    what: 'Before a reply of Chatwoot is sent, those of its conversation whose webhooks did not come are looked for.',
    switches: [
      {
        file: 'runtime/chatwoot/replies.js',
        on: 'const waitsMs = await this.#fillGaps(config, lane);',
        off: 'const waitsMs = 0;',
      },
    ],
    tests: ['gateway/chatwoot-away'],
  },
  {
    guarantee: 'G3',
    what: 'A conversation whose answer was lost is looked for at Chatwoot before it is made again.',
    switches: [
      {
        file: 'runtime/chatwoot/conversation-place.js',
        on: 'isFresh ? [] : await api.listConversations(contactId)',
        off: '[]',
      },
    ],
    tests: ['chatwoot/conversation-place'],
  },
  {
    guarantee: 'G3',
    what: 'A contact is looked for at Chatwoot before it is made, and again when its number is taken.',
    switches: [
      {
        file: 'runtime/chatwoot/contact-place.js',
        on: 'const known = await this.#find(person);',
        off: 'const known = null;',
      },
      {
        file: 'runtime/chatwoot/contact-place.js',
        on: 'const other = await this.#find(person);',
        off: 'const other = null;',
      },
    ],
    tests: ['chatwoot/contact-place'],
  },
  {
    guarantee: 'limits',
    what: 'Looks at the Chatwoots of instances run beside each other.',
    switches: [
      {
        file: 'runtime/work/work.js',
        on: 'chatwoot_look: { atOnce: 32, openMax: 256,',
        off: 'chatwoot_look: { atOnce: 1, openMax: 1,',
      },
    ],
    tests: ['chatwoot/recovery'],
  },
  {
    guarantee: 'limits',
    what: 'An instance runs a bounded number of lanes of replies of Chatwoot at once.',
    switches: [
      {
        file: 'runtime/work/work.js',
        on: 'chatwoot_reply: { atOnce: 64, openMax: 256, keptForOthers: 128, ownerMax: 8,',
        off: 'chatwoot_reply: { atOnce: 64, openMax: 256, keptForOthers: 128, ownerMax: 100,',
      },
    ],
    tests: ['work/work.test'],
  },
  {
    guarantee: 'access',
    what: 'A webhook of Chatwoot with a wrong path or signature is refused.',
    switches: [
      {
        file: 'runtime/chatwoot/receiver.js',
        on: '!isSame(secret, config.path) || !isSigned(config, headers, bytes)',
        off: 'false',
      },
    ],
    tests: ['gateway/chatwoot'],
  },
  {
    guarantee: 'access',
    what: 'An agent over MCP changes what was sent only with the consent that names this change.',
    switches: [
      {
        file: 'api/mcp/use-tool.js',
        on: 'parts.confirmations.isProof(proof, consent)',
        off: 'true',
      },
    ],
    tests: ['gateway/mcp'],
  },
  {
    guarantee: 'G4',
    what: 'Deliveries that a commit passes on are sent without a look into the store only if nothing waited in their lane.',
    switches: [{ file: 'runtime/store/journal/event-log.js', on: ' || row.waits', off: '' }],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A run that reads its lane takes no deliveries that a commit passes on meanwhile.',
    switches: [{ file: 'runtime/delivery/lane-runner.js', on: 'isRead ? undefined : first', off: 'first' }],
    tests: ['delivery/webhooks.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A message that came without content has a record before it is acknowledged.',
    switches: [
      {
        file: 'actors/network/baileys/inbound.js',
        on: 'if (absence !== null && !isOfDevices)',
        off: 'if (absence === undefined)',
      },
    ],
    tests: ['gateway/placeholders.integration'],
  },
  {
    guarantee: 'G2',
    what: 'A decrypted message of a kind that is not known has a record.',
    switches: [
      {
        file: 'actors/network/baileys/content.js',
        on: 'isSenderKeyOnly(message) ? null : notUnderstood(message)',
        off: 'null',
      },
    ],
    tests: ['gateway/unknown-kinds.integration'],
  },
  {
    guarantee: 'G3',
    what: 'A change that was applied before a crash is known when WhatsApp delivers it again.',
    switches: [
      {
        file: 'actors/network/baileys/inbound.js',
        on: 'if (await this.#handled.has(handledAs(envelope)))',
        off: 'if (false)',
      },
    ],
    tests: ['durability/edit-crash.integration'],
  },
  {
    guarantee: 'G4',
    what: 'A live message stands behind those that were stored before it, whatever the clocks say.',
    switches: [
      {
        file: 'runtime/store/journal/message-inserts.js',
        on: 'ELSE GREATEST(u.floor, 1 + $',
        off: 'ELSE LEAST(u."messageTimestamp", 1000000000000000 + $',
      },
    ],
    tests: ['store/message-order.integration'],
  },
]
