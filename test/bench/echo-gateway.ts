import { z } from 'zod'
import { endpoint, noInput } from '../../src/core/endpoint.ts'
import { createLog } from '../../src/core/log.ts'
import { json } from '../../src/core/reply.ts'
import { createListener } from '../../src/edge/http/connections/listener.ts'
import { messageClasses } from '../../src/edge/http/connections/message-classes.ts'
import { isDevAccount } from '../../src/platform/chain/dev-accounts.ts'
import { readSettings } from '../../src/platform/config/config.ts'
import { createApp } from '../../src/server/app.ts'
import { createServices } from '../../src/server/services.ts'
import { followConnections } from '../../src/server/stop/connections.ts'

/**
 * The gateway with the handler of the bare route: it echoes the body instead of writing an analysis, so that the two
 * servers differ by the gateway alone. Settings come from the environment.
 */
const settings = readSettings(process.env, isDevAccount)
const { config, secrets } = settings
const log = createLog(config.logLevel)
const services = await createServices(settings, log, () => {})
const echo = endpoint(
  'analyzeBusiness',
  { ...noInput, method: 'POST', path: '/api/analyze', body: z.looseObject({}), response: z.unknown() },
  ({ body }) => json(200, { success: true, echo: body }),
)
const endpoints = services.parts.endpoints.map((row) => (row.id === echo.id ? echo : row))
const serve = createApp({ ...services.parts, endpoints }, secrets.operatorToken)
const { countCall } = services.parts
// The listener of `npm start`, with all that it does for each request.
const server = createListener({
  serve,
  classes: (worked) => messageClasses(serve, worked),
  audience: 'public',
  hasUpgrades: true,
  countCall,
  log,
})
followConnections(server)
server.listen(config.listen.port, config.listen.host, () => {
  process.stdout.write(`listening ${config.listen.port}\n`)
})
process.once('SIGTERM', async () => {
  server.closeAllConnections()
  server.close()
  await services.close()
  process.exit(0)
})
