import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import request from 'supertest'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { operatorToken } from '../../support/gateways/gateway.ts'
import { openWorkplace, type Workplace } from '../../support/gateways/process.ts'
import {
  type Caller,
  newClient,
  newKey,
  openScanScene,
  type ScanScene,
} from '../../support/scans/scan-scene.ts'
import { secret } from '../../support/webhooks/box.ts'
import { type Receiver, startReceiver } from '../../support/webhooks/receiver.ts'

/** `tollgate webhooks` as an operator types it, against a gateway in this process. */

let scene: ScanScene
let workplace: Workplace
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  workplace = await openWorkplace()
  scene = await openScanScene({}, {}, [receiver.target])
})
afterAll(async () => {
  await scene.close()
  await workplace.close()
  await receiver.close()
})

const webhooks = async (...args: string[]) => {
  const settings = { OPERATOR_URL: scene.gateway.url, OPERATOR_TOKEN: operatorToken }
  const { code, stdout, stderr } = await workplace.run('cli', { args: ['webhooks', ...args], settings })
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

test('tollgate webhooks lists, shows, tries, repeats, pauses and deletes a subscription that was made without a key', async () => {
  const made = await request(scene.gateway.url)
    .post('/api/webhooks/subscribe')
    .set(newClient())
    .send({ url: receiver.url, events: ['scan.failed'], secret })
  const { id } = made.body.subscription
  expect(JSON.parse(await webhooks('list', '--json')).subscriptions).toMatchObject([
    {
      id,
      status: 'active',
      callback_url: receiver.url,
      is_signed: true,
      owner: expect.stringMatching(/^client:/),
    },
  ])

  const delivery = (await webhooks('test', id)).trim()
  await receiver.gets(1)
  await webhooks('resend', id, delivery)
  await receiver.gets(2)
  expect(receiver.received.map(({ isGenuine }) => isGenuine)).toEqual([true, true])
  expect(new Set(receiver.received.map((one) => one.id)).size).toBe(1)

  expect(await webhooks('show', id)).toMatch(new RegExp(`^callback_url +${receiver.url}$`, 'm'))
  expect(await webhooks('pause', id)).toBe(`${id} is paused\n`)
  expect(await webhooks('delete', id)).toBe(`deleted ${id}\n`)
  expect(JSON.parse(await webhooks('list', '--json')).subscriptions).toEqual([])
})

test('with --key-file the holder of a key manages its own subscriptions, without the operator token', async () => {
  const [owner, stranger] = [await newKey(scene.gateway), await newKey(scene.gateway)]
  const made = await request(scene.gateway.url)
    .post('/api/webhooks/subscribe')
    .set(owner)
    .send({ callback_url: receiver.url, events: ['scan.failed'], secret })
  const { id } = made.body.subscription
  const as = async (key: Caller, ...args: string[]) => {
    const file = join(workplace.folder, 'key.txt')
    await writeFile(file, key['x-mcp-api-key'] ?? '')
    return await workplace.run('cli', {
      args: ['webhooks', ...args, '--key-file', file, '--url', scene.gateway.url],
      settings: {},
    })
  }
  expect(JSON.parse((await as(owner, 'list', '--json')).stdout).subscriptions).toMatchObject([{ id }])
  expect(JSON.parse((await as(stranger, 'list', '--json')).stdout).subscriptions).toEqual([])
  const refused = await as(stranger, 'delete', id)
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('has this ID')])

  const before = receiver.received.length
  const delivery = (await as(owner, 'test', id)).stdout.trim()
  await receiver.gets(before + 1)
  await as(owner, 'resend', id, delivery)
  await receiver.gets(before + 2)
  expect((await as(owner, 'show', id)).stdout).toContain(receiver.url)
  expect((await as(owner, 'pause', id)).stdout).toBe(`${id} is paused\n`)
  expect((await as(owner, 'resume', id)).stdout).toBe(`${id} is active\n`)
  expect((await as(owner, 'delete', id)).stdout).toBe(`deleted ${id}\n`)
})
