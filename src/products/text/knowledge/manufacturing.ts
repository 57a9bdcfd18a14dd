import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a plant or workshop, and how to begin a useful conversation with them. */
const manufacturingBuyers: Buyers = {
  roles: [
    {
      title: 'Plant or operations manager',
      aliases:
        terms(`plant manager, operations, operations manager, coo, production manager, head of production, factory manager,
        works manager, site manager, manufacturing manager, chief operating officer`),
      cares: 'output, delivery dates and a shift that ends without a crisis',
      objection: 'The last system was introduced by people who had never stood at a machine.',
      angle:
        'Ask to see the bottleneck before showing anything. Propose a trial on a single machine with the operators choosing the words on the screen.',
    },
    {
      title: 'Owner or managing director',
      aliases:
        terms(`owner, ceo, managing director, founder, president, general manager, chief executive, shareholder,
        partner, cfo, finance director, finance`),
      cares: 'margins on each order, customers who stay and knowledge that does not retire',
      objection: 'Money goes into machines first, because a machine can be touched.',
      angle:
        'Compare the cost with one lost order or one hour of the bottleneck. Talk about the two people whose knowledge is written nowhere.',
    },
    {
      title: 'Quality manager',
      aliases:
        terms(`quality, quality manager, head of quality, qa, qc, quality assurance, compliance, ehs, safety,
        regulatory`),
      cares: 'audits without findings, fewer complaints and records that can be found',
      objection: 'Auditors know the present forms, and every change has to be validated.',
      angle:
        'Keep the form and change the way it is filled in. Show how a record from last March is found in ten seconds.',
    },
    {
      title: 'Maintenance or engineering lead',
      aliases:
        terms(`maintenance, maintenance manager, engineering, engineer, technical manager, reliability, it, it manager, cio,
        cto, automation engineer, process engineer`),
      cares: 'planned work that really happens and machines whose history is known',
      objection: 'Technicians will not type on a phone with oily hands.',
      angle:
        'Begin with photos and voice in place of text. Ask which fault returned most often this year and how anyone would know.',
    },
    {
      title: 'Purchasing or supply chain manager',
      aliases:
        terms(`purchasing, procurement, supply chain, buyer, logistics, materials manager, sourcing, inventory,
        planner, sales, sales manager, estimator`),
      cares: 'material on time, fair prices and fewer phone calls about dates',
      objection: 'Small suppliers do not use portals and never will.',
      angle:
        'Suggest working with the e-mails suppliers already send. A list of lines without a confirmed date is useful from the first day.',
    },
  ],
  hooks: [
    'Most plants can say how long a machine stood still last week, but not why.',
    'The shop that answers a request for quotation on the same day is compared with nobody else.',
    'A shortage on the line has usually been visible for two weeks in a purchase order without a confirmed date.',
  ],
  questions: [
    'Which machine does everyone wait for, and what stopped it most often last month?',
    'How many days pass between a request for quotation and your offer, and how many of them are waiting?',
    'How far ahead do you learn that a critical part will be late?',
    'Where are the readings of last March’s lot, and how long would it take to find them?',
    'Which two colleagues could not be replaced next month?',
  ],
}

/** First steps for a plant, each on one machine or one list. */
const manufacturingQuickWins: readonly QuickWin[] = [
  {
    title: 'Record the reason for every stop on one machine',
    opportunity: 'shift-handover',
    why: 'A tablet and twelve reasons are enough to end the argument about where the time goes.',
    steps: [
      'Choose the machine that everyone waits for.',
      'Write twelve reasons for stops together with the operators.',
      'Put a form with large buttons on a tablet at the machine.',
      'Show the three largest reasons at the shift meeting for one week.',
      'Remove one cause and watch whether its bar becomes shorter.',
    ],
  },
  {
    title: 'Turn the next ten planned services into work orders with parts',
    opportunity: 'preventive-maintenance',
    why: 'Most planned jobs fail for a missing part or page, not for missing time.',
    steps: [
      'List the next ten services with machine, date and duration.',
      'Attach the parts, the instruction and a photo of the spot to each.',
      'Reserve the parts in stock and order what is missing.',
      'Agree with planning on the hour in which the machine will stop.',
      'Note what was found, in words a successor would understand.',
    ],
  },
  {
    title: 'Ask for a confirmed date on every critical order line',
    opportunity: 'supplier-followup',
    why: 'A list of lines without a date shows tomorrow’s shortage today.',
    steps: [
      'Mark the fifty parts that would stop a line.',
      'List all open orders for them and note which have a confirmed date.',
      'Send one mail to each supplier with the lines that have none.',
      'Repeat it each Monday from a saved report.',
    ],
  },

  {
    title: 'Enter one critical dimension on a tablet for a week',
    opportunity: 'inspection-reports',
    why: 'A single dimension shows whether entry is fast enough for the shop floor.',
    steps: [
      'Choose the dimension that has caused most complaints.',
      'Build a form with part, machine, reading and limits.',
      'Time ten entries on paper and ten on the tablet.',
      'Show the readings as a line at the shift meeting.',
      'Keep the tablet only if entry is not slower.',
    ],
  },
  {
    title: 'Compare the last twenty offers with their actual hours',
    opportunity: 'quote-to-order',
    why: 'It shows in an afternoon which kind of part is quoted wrongly.',
    steps: [
      'Take twenty finished jobs from the last half-year.',
      'Put quoted and actual hours beside each other.',
      'Group them by material and operation and mark the three largest gaps.',
      'Correct these three in the calculation sheet today.',
    ],
  },
  {
    title: 'Correct the ten routings that are used most',
    opportunity: 'production-schedule',
    why: 'No plan can be better than its times, and ten corrections reach most of the volume.',
    steps: [
      'List the ten routings with the most orders last quarter.',
      'Ask the operators for the real set-up and running times.',
      'Enter them and note the date beside each.',
      'Watch for two weeks how often the plan of Monday still holds on Wednesday.',
    ],
  },
]

/** Factories and workshops: inspection, maintenance, quotes, schedules, suppliers and shift handover. */
export const manufacturing: Industry = {
  slug: 'manufacturing',
  name: 'Manufacturing',
  field: 'manufacturing',
  organizations: 'manufacturers',
  customers: 'industrial customers',
  scale: 'a plant with eighty people on two shifts and about thirty machines',
  people: 80,
  aliases:
    terms(`manufacturing, manufacturer, manufacturers, factory, plant, production, industrial, industry 4.0,
    machine shop, machining, cnc, metal, metalworking, fabrication, steel, foundry, casting, welding, plastics,
    injection molding, packaging, printing plant, print shop, textile, textiles, garment, furniture maker, woodworking,
    carpentry, automotive supplier, automotive, aerospace, chemicals, chemical, pharmaceutical manufacturing, food
    processing, food production, brewery, winery, distillery, bottling, assembly, assembly line, tooling, machinery,
    oem, supply chain, quality control, quality inspection, preventive maintenance, lean`),
  opportunities: [
    {
      id: 'inspection-reports',
      title: 'Quality inspection records and certificates without paper',
      subject: 'quality inspection reports',
      description:
        'Measurements are taken on a tablet or straight from the gauge, limits are checked at once, and the report for the customer is made from the same record.',
      currentState:
        'Inspectors write on paper, someone types it up at night, and a drift in one dimension is seen when the lot has been shipped.',
      potentialState:
        'A reading outside the limits stops the step, trends are visible on the shift, and the certificate is ready when the pallet is.',
      impact: 'high',
      effort: 'medium',
      category: 'quality',
      hours: hoursSaved({ count: 45, unit: 'inspection records', per: 'day', minutes: 9, removed: [40, 60] }),
      automationApproach: terms(`digital inspection plans with limits, gauges connected by cable or radio,
        certificates filled from the record`),
      recommendedTools: ['1factory', 'SafetyCulture', 'Tulip'],
      watchOut:
        'If entering a reading takes longer than writing it, operators will enter a plausible one later; time the entry before rolling it out.',
      measure: 'the minutes between a reading out of limits and someone reacting to it',
      topics:
        terms(`quality, quality control, inspection, inspection reports, defects, scrap, measurement, certificate, spc, iso 9001,
        nonconformance, audit, traceability, gauge, rework, reports`),
    },
    {
      id: 'preventive-maintenance',
      title: 'Preventive maintenance by running hours',
      subject: 'preventive maintenance',
      description:
        'Service follows what machines have really run, spare parts are reserved before the job, and technicians find the history on their phones.',
      currentState:
        'Plans hang on a wall and follow the calendar, urgent repairs push them aside, and knowledge of each machine sits in one head.',
      potentialState:
        'Counters open work orders by themselves, parts and instructions are attached, and repeated faults show up as a pattern with a cost.',
      impact: 'high',
      effort: 'medium',
      category: 'operations',
      hours: hoursSaved({ count: 50, unit: 'work orders', per: 'week', minutes: 30, removed: [30, 50] }),
      automationApproach:
        terms(`running hours from the machine control or a simple sensor, work orders with parts and photos,
        a fault code list of fewer than thirty entries`),
      recommendedTools: ['MaintainX', 'Limble', 'Fiix'],
      watchOut:
        'Sensors come last: a plant that does not finish its planned jobs gains nothing from predicting more of them.',
      measure:
        'planned against unplanned maintenance hours, and the time between stops of the bottleneck machine',
      topics:
        terms(`maintenance, preventive maintenance, predictive maintenance, machine, machines, downtime, breakdown, repair,
        spare parts, work order, work orders, cmms, technicians, equipment, sensor, sensors`),
    },
    {
      id: 'quote-to-order',
      title: 'Quotes for custom parts from drawing to offer',
      subject: 'quoting',
      description:
        'Requests are read with their drawings, similar jobs and their real costs are found, and a priced draft is ready for the estimator.',
      currentState:
        'One experienced estimator opens each drawing, remembers a similar job, and the customer waits a week or orders elsewhere.',
      potentialState:
        'Material, size and tolerances are recognized, past jobs come with their actual hours, and simple parts are quoted on the same day.',
      impact: 'high',
      effort: 'medium',
      category: 'growth',
      hours: hoursSaved({
        count: 35,
        unit: 'requests for quotation',
        per: 'week',
        minutes: 55,
        removed: [35, 55],
      }),
      automationApproach:
        terms(`reading of drawings and request mails, a search over past jobs with actual costs,
        price rules that the estimator owns`),
      recommendedTools: ['Paperless Parts', 'aPriori', 'Katana'],
      watchOut:
        'Quoting quickly from wrong hours only loses money sooner; feed actual hours back before speeding anything up.',
      unfit: terms('brewery, winery, distillery, bottling, food, bread, textile, chemicals, chemical'),
      measure: 'days from request to offer, and the share of offers won by customer group',
      topics:
        terms(`quote, quotes, quoting, quotation, rfq, estimate, estimating, offer, pricing, drawing, cad, sales, custom parts,
        order, orders, proposal, customers`),
    },
    {
      id: 'production-schedule',
      title: 'Production schedule that follows reality',
      subject: 'production scheduling',
      description:
        'Orders, machines and people form one plan that is calculated again when a machine stops, a delivery slips or a rush order comes.',
      currentState:
        'The plan is a spreadsheet that is right on Monday morning; by noon foremen decide at the machine, and sales promises dates from memory.',
      potentialState:
        'Finished operations are reported where they happen, the sequence is proposed again within minutes, and sales sees a date it can keep.',
      impact: 'high',
      effort: 'high',
      category: 'operations',
      hours: hoursSaved({ count: 12, unit: 'plan changes', per: 'day', minutes: 25, removed: [35, 55] }),
      automationApproach:
        terms(`feedback from the shop floor by scan, sequence proposals around the bottleneck,
        delivery dates calculated from the plan`),
      recommendedTools: ['Katana', 'PlanetTogether', 'JobBOSS²'],
      watchOut:
        'A schedule is as true as its routing times, so correct the ten most used routings before buying an optimizer.',
      measure: 'deliveries on the first confirmed date, and work in progress in days',
      topics:
        terms(`schedule, scheduling, production, production planning, planning, capacity, bottleneck, lead time, lead times,
        delivery, erp, mes, on-time, work in progress, throughput`),
    },
    {
      id: 'supplier-followup',
      title: 'Purchase orders confirmed and followed up',
      subject: 'supplier follow-up',
      description:
        'Confirmations are read and compared with the order, late or changed lines are listed, and suppliers are reminded before the date and not after it.',
      currentState:
        'Buyers send orders as files, read confirmations by eye if at all, and learn of a delay when the line asks for the part.',
      potentialState:
        'Each line has a confirmed date, deviations appear the same day, and reminders go out by themselves for critical parts.',
      impact: 'medium',
      effort: 'low',
      category: 'operations',
      hours: hoursSaved({ count: 140, unit: 'order lines', per: 'week', minutes: 6, removed: [45, 70] }),
      automationApproach: terms(`reading of order confirmations, comparison with price and date,
        reminders by lead time and importance`),
      recommendedTools: ['SourceDay', 'Precoro', 'Odoo'],
      watchOut:
        'Suppliers answer people they know, so automatic reminders should come from the buyer’s address and stop when the buyer steps in.',
      measure: 'the share of order lines with a confirmed date, and stops for missing material',
      topics:
        terms(`supplier, suppliers, purchase order, purchase orders, purchasing, procurement, confirmation, materials, delivery,
        late, shortage, supply chain, inventory, buyer, expediting, invoices`),
    },
    {
      id: 'shift-handover',
      title: 'Shift handover and downtime reasons',
      subject: 'shift handover',
      description:
        'Stops are recorded with a reason when they happen, and the next shift finds a short summary instead of a notebook.',
      currentState:
        'Reasons are guessed at the end of the shift, the notebook is hard to read, and the morning meeting argues about numbers.',
      potentialState:
        'A stop asks for one of twelve reasons on a screen, the summary is written from these entries, and the meeting begins with the three largest losses.',
      impact: 'medium',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 14, unit: 'shift reports', per: 'day', minutes: 22, removed: [40, 65] }),
      automationApproach:
        terms(`stop signals from the machine or a button, a short list of reasons on a tablet,
        a summary generated for each shift`),
      recommendedTools: ['Tulip', 'MachineMetrics', 'Microsoft Power Apps'],
      watchOut:
        'If reasons are used to blame, “other” becomes the most frequent one; discuss causes and never names.',
      measure: 'minutes of unexplained downtime for each shift',
      topics:
        terms(`shift, handover, downtime, oee, report, reporting, shop floor, operators, meeting, production report,
        losses, communication, stops, data collection`),
    },
  ],
  workflows: [
    {
      name: 'From request to offer',
      description: 'A customer asks for a part and gets a price with a date.',
      steps: [
        manual('Read the request', 'Drawing and quantities are found in the mail.'),
        manual('Compare', 'The estimator looks for similar jobs.'),
        manual('Calculate', 'Hours and material are entered in a sheet.'),
        manual('Approve', 'Management looks at large offers.'),
        automatic('Send', 'The system prints the offer.'),
      ],
      isDeterministic: false,
      automationPotential: 'high',
      currentState: 'The queue is as long as one person’s desk.',
    },
    {
      name: 'From order to shipment',
      description: 'An order is planned, made, inspected and shipped.',
      steps: [
        manual('Plan', 'The order is placed in the schedule.'),
        manual('Set up and run', 'Machines are prepared and produce.'),
        manual('Inspect', 'Dimensions are measured and written down.'),
        automatic('Book', 'The stock system counts finished parts.'),
        manual('Make papers', 'Certificates and delivery notes are put together.'),
      ],
      isDeterministic: true,
      automationPotential: 'medium',
      currentState: 'Parts are finished before their papers are.',
    },
    {
      name: 'From fault to running machine',
      description: 'A stop is reported, understood and repaired.',
      steps: [
        manual('Report', 'The operator calls or walks over.'),
        manual('Find the cause', 'A technician asks what happened before.'),
        manual('Get parts', 'Stock is searched or an order is placed.'),
        manual('Repair', 'The machine runs again.'),
        manual('Write it down', 'A line in the notebook, if time allows.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'The repair is known, but the history that would prevent the next one is not kept.',
    },
  ],
  painPoints: [
    {
      title: 'Stops that surprise everyone',
      detail:
        'A machine that fails in the middle of an order costs the repair, the set-up, the overtime and a promise to a customer, and the planned service it missed would have cost an hour.',
      sign: 'Job ads look for maintenance technicians for immediate repair on all shifts.',
    },
    {
      title: 'Delivery dates from memory',
      detail:
        'Sales promises what the plan said on Monday, and by Wednesday the plan is different, so trust is lost in small steps.',
      sign: 'Customer reviews or supplier ratings mention dates that moved more than once.',
    },
    {
      title: 'Knowledge that retires',
      detail:
        'The estimator and the senior technician carry the prices and the quirks of the machines in their heads, and both will leave within a few years.',
      sign: 'Company news celebrates long anniversaries, and the same two posts are advertised for months.',
    },
    {
      title: 'Paper between the machines',
      detail:
        'Travelers, inspection sheets and notebooks are typed up later or never, so questions about last week are answered by opinion.',
      sign: 'Certificates are sent as scans of handwritten forms.',
    },
  ],
  buyers: manufacturingBuyers,
  quickWins: manufacturingQuickWins,
  facts: [
    'Improving any step that is not the bottleneck produces more waiting stock and not more finished goods.',
    'Quality standards such as ISO 9001 ask for evidence that the process was followed, and a record made at the machine is stronger evidence than one typed up at night.',
    'Maintenance by running hours treats a machine that works one shift differently from one that works three, which the calendar cannot do.',
    'Actual hours that never return to the estimator make each new quote repeat the mistake of the last one.',
  ],
}
