import type { SendReply } from '../../../schemas/send-request.js'

/** Returns an example of the answer to a call that schedules a send or changes it. */
export function scheduledExample(
  messageid: string,
  schedule: { readonly send_at: string; readonly asked: string; readonly timezone: string; readonly revision: number },
): SendReply {
  return {
    record: {
      id: messageid,
      messageid,
      chatid: '5511999990002@s.whatsapp.net',
      fromMe: true,
      messageType: 'text',
      messageTimestamp: 1,
      status: 'scheduled',
      owner: '5511999990001',
      schedule: { ...schedule, leaves_at: schedule.send_at, expires_at: schedule.send_at },
    },
    warnings: [],
  }
}
