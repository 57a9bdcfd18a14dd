import {
  automatic,
  type Buyers,
  hoursSaved,
  type Industry,
  manual,
  type QuickWin,
  terms,
} from './industry.ts'

/** Who decides in a school or with a training provider, and how to begin a useful conversation with them. */
const educationBuyers: Buyers = {
  roles: [
    {
      title: 'Head of school or principal',
      aliases:
        terms(`principal, head, head of school, headteacher, headmaster, director, dean, president, superintendent,
        ceo, founder, owner, rector, managing director, general manager`),
      cares: 'good teaching, staff who stay and families who recommend the school',
      objection: 'Teachers have been given new systems every year and are tired of them.',
      angle:
        'Promise to remove a task before adding a tool. Ask which list or letter teachers would be happiest to lose.',
    },
    {
      title: 'Business or operations manager',
      aliases:
        terms(`business manager, bursar, operations, coo, finance, cfo, operations manager, school administrator,
        administrator, office manager, registrar, finance director`),
      cares: 'predictable costs, complete records and an office that copes with September',
      objection: 'The budget is set once a year and there is no line for experiments.',
      angle:
        'Choose something that fits below the approval limit and ends a cost that is visible, such as printing, postage or overtime.',
    },
    {
      title: 'Head of admissions or marketing',
      aliases:
        terms(`admissions, enrollment, head of admissions, marketing, recruitment, communications, cmo, sales, growth,
        admissions director, outreach`),
      cares: 'full classes, quick answers and an honest picture of the school',
      objection: 'Families choose by personal impression, and automatic messages could spoil it.',
      angle:
        'Agree that the visit decides and talk about everything before it. Ask how an inquiry on Saturday evening is answered.',
    },
    {
      title: 'IT or digital learning lead',
      aliases:
        terms(`it, it director, cio, cto, digital learning, edtech, e-learning, technology, data protection, head of it,
        instructional designer, learning technologist`),
      cares: 'student privacy, single sign-on and few systems that talk to each other',
      objection: 'Each tool creates another export that someone has to run by hand.',
      angle:
        'Begin with the student system as the one source and explain what is read and written. Bring the data agreement along.',
    },
  ],
  hooks: [
    'Feedback loses most of its effect in the days before it is returned, so shortening the wait does more than lengthening the comment.',
    'Families write to schools in the evening; a reply on Thursday to a question from Sunday competes with a school that replied on Sunday.',
    'When an address changes and four lists have to follow, three of them do.',
  ],
  questions: [
    'How many days pass on average until students get written work back, and who decides that?',
    'What happens to an inquiry that arrives on Saturday evening?',
    'Which information about a student do you keep in more than two places?',
    'Which task would your teachers vote to abolish?',
    'Who makes the cover plan at half past six, and who does it when that person is ill?',
  ],
}

/** First steps for a school or training provider that cost teachers no extra evening. */
const educationQuickWins: readonly QuickWin[] = [
  {
    title: 'Write a comment bank for one assignment',
    opportunity: 'lesson-feedback',
    why: 'Twelve good comments cover most of what a teacher writes, and they make later drafting tools better.',
    steps: [
      'Take one assignment that several classes hand in.',
      'Collect twenty comments you have written before and reduce them to twelve.',
      'Give each a criterion of the rubric and one next step for the student.',
      'Enter them in the learning platform as saved comments.',
      'Note the time for one class and share the bank with a colleague.',
    ],
  },
  {
    title: 'Let families book visits themselves',
    opportunity: 'admissions-inquiries',
    why: 'A booking page ends the exchange of dates and works in the evening, when families decide.',
    steps: [
      'Set two afternoons a week for visits in a shared calendar.',
      'Open a booking page with slots of half an hour and three short questions.',
      'Put the link on the admissions page and in the first reply.',
      'Send a reminder the day before with directions and a name.',
    ],
  },
  {
    title: 'Send absence messages with three replies to choose from',
    opportunity: 'attendance-followup',
    why: 'Most reasons fit three choices, and a tap saves a phone call.',
    steps: [
      'Look up which reasons were entered most often last month.',
      'Write one message that offers the three most frequent and “please call me”.',
      'Send it from the register at a fixed time for one year group.',
      'Call only the homes that have not answered after thirty minutes.',
    ],
  },

  {
    title: 'Share one lesson in three levels',
    opportunity: 'course-materials',
    why: 'One finished example convinces colleagues more than a training day.',
    steps: [
      'Choose a lesson that several teachers give next month.',
      'Draft a simpler and a harder version of its main task.',
      'Check every answer by hand and mark the sheet as reviewed.',
      'Store the three versions under one name where colleagues look for them.',
    ],
  },
  {
    title: 'Count the covers of each person in public',
    opportunity: 'timetable-cover',
    why: 'A visible count ends the quarrel about fairness and is the base of every later rule.',
    steps: [
      'List the covers of the last four weeks by person.',
      'Publish the count in the staff room and keep it up to date.',
      'Agree on two rules for who is asked first.',
      'Send each change to everyone concerned in one message, not by board.',
    ],
  },
  {
    title: 'Offer a payment plan before the first reminder',
    opportunity: 'fees-reminders',
    why: 'Families who can choose a plan early seldom need a second letter.',
    steps: [
      'Write two plans that the school can live with.',
      'Add them to the invoice with a link to choose one.',
      'Send a friendly note five days before the due date.',
      'Give the name of a person for families who need to talk.',
    ],
  },
]

/** Schools, colleges, tutors and training providers: feedback, admissions, attendance, timetables, fees. */
export const education: Industry = {
  slug: 'education',
  name: 'Education',
  field: 'education',
  organizations: 'schools and training providers',
  customers: 'students and families',
  scale: 'a school or training provider with about thirty teachers and five people in the office',
  people: 35,
  aliases:
    terms(`education, educational, school, schools, university, college, academy, kindergarten, preschool, daycare,
    nursery school, montessori, teacher, teachers, teaching, tutor, tutors, tutoring, tuition center, coaching institute,
    student, students, pupil, pupils, classroom, curriculum, lesson, lessons, lesson planning, course, courses,
    online course, e-learning, elearning, edtech, training, training provider, training center, vocational, bootcamp,
    learning, lms, language school, music school, driving school, dance school, exam, exams, grading, admissions, enrollment, campus,
    homeschool, faculty, scholarship, alumni, district`),
  opportunities: [
    {
      id: 'lesson-feedback',
      title: 'Feedback on student work, drafted for the teacher',
      subject: 'feedback on student work',
      description:
        'Submitted work is compared with the rubric, a draft comment names what worked and the next step, and the teacher edits it before anyone sees it.',
      currentState:
        'Teachers take piles home, write the same sentence forty times, and students get the work back when the class has moved on.',
      potentialState:
        'Drafts in the teacher’s own phrases are ready the same day, common mistakes are listed for the next lesson, and time goes to the students who need a talk.',
      impact: 'high',
      effort: 'medium',
      category: 'documentation',
      hours: hoursSaved({ count: 240, unit: 'pieces of work', per: 'week', minutes: 7, removed: [30, 50] }),
      automationApproach: terms(`rubrics written as short criteria, comment drafts bound to the rubric,
        an overview of frequent mistakes by class`),
      recommendedTools: ['Gradescope', 'Brisk Teaching', 'Turnitin Feedback Studio'],
      watchOut:
        'A grade is a teacher’s decision; a draft may explain a criterion but must not set the mark, and student data needs a vendor with a school agreement.',
      measure: 'the days until work comes back, and the share of students who act on the comment',
      topics:
        terms(`feedback, grading, marking, assessment, assignments, homework, essay, rubric, lesson, lesson feedback, report,
        teacher workload, teachers, student work, exams, evaluation`),
    },
    {
      id: 'admissions-inquiries',
      title: 'Admissions from first question to enrolled student',
      subject: 'admissions and enrollment',
      description:
        'Questions get a quick and correct answer, visits are booked without calls, and each applicant sees what is still missing.',
      currentState:
        'Inquiries sit in a shared mailbox, forms come on paper and by e-mail, and families call to ask whether anything has happened.',
      potentialState:
        'Routine questions are answered from the prospectus, applicants follow a checklist, and staff speak with the families who hesitate.',
      impact: 'high',
      effort: 'medium',
      category: 'communication',
      hours: hoursSaved({
        count: 60,
        unit: 'inquiries and applications',
        per: 'week',
        minutes: 20,
        removed: [40, 60],
      }),
      automationApproach: terms(`an inquiry form with a named owner, a checklist visible to the family,
        self-service booking of visits`),
      recommendedTools: ['Slate', 'Finalsite', 'HubSpot'],
      watchOut:
        'Questions about support needs, fees and hardship are personal and should reach a person without delay.',
      measure: 'the hours to a first reply, and the share of visits that lead to an application',
      topics:
        terms(`admissions, admission, enrollment, enrolment, applications, applicants, inquiry, open day, recruitment, leads,
        prospective, families, parents, enroll, registration, sign up`),
    },
    {
      id: 'attendance-followup',
      title: 'Attendance follow-up on the same morning',
      subject: 'attendance follow-up',
      description:
        'Absences trigger a message at once, replies are read and coded, and patterns that point to trouble reach the right adult.',
      currentState:
        'The office compares lists at ten, calls homes in turn, and enters reasons by hand; a pattern is noticed at the end of term.',
      potentialState:
        'Families answer with one tap, the register is complete by mid-morning, and the third Monday in a row opens a conversation.',
      impact: 'medium',
      effort: 'low',
      category: 'communication',
      hours: hoursSaved({ count: 35, unit: 'absences', per: 'day', minutes: 5, removed: [50, 75] }),
      automationApproach: terms(`messages sent from the register, replies mapped to absence codes,
        pattern rules agreed with the pastoral team`),
      recommendedTools: ['ParentSquare', 'PowerSchool', 'Arbor'],
      watchOut:
        'Safeguarding comes first: an unexplained absence of a child on a watch list must ring a phone and not only send a text.',
      measure: 'the minutes until each absence is explained, and repeat absences noticed within two weeks',
      topics:
        terms(`attendance, absence, absences, absentee, truancy, register, parents, messages, safeguarding, dropout,
        retention, no-show, lateness`),
    },
    {
      id: 'course-materials',
      title: 'Lesson and course material in several levels',
      subject: 'course materials',
      description:
        'From one plan come worksheets, slides and quizzes at different levels and in different languages, in the format the school uses.',
      currentState:
        'Teachers search the web on Sunday, adapt a worksheet that almost fits, and make a second and third version for stronger and weaker students.',
      potentialState:
        'A plan in the shared drive produces drafts for three levels, which the teacher checks, corrects and keeps for colleagues.',
      impact: 'high',
      effort: 'low',
      category: 'content',
      hours: hoursSaved({ count: 55, unit: 'lessons', per: 'week', minutes: 30, removed: [30, 50] }),
      automationApproach: terms(`lesson plans in one agreed form, generated drafts at several reading levels,
        a shared library with review marks`),
      recommendedTools: ['MagicSchool', 'Canva', 'Articulate Rise'],
      watchOut:
        'Generated exercises contain plausible mistakes, above all in mathematics and history, so nothing goes to students unread.',
      measure: 'hours of preparation for each taught hour, and material used again by a second teacher',
      topics:
        terms(`lesson planning, course, courses, curriculum, material, materials, worksheet, worksheets, slides, quiz, content,
        differentiation, e-learning, online course, teaching, training, instructional design`),
    },
    {
      id: 'timetable-cover',
      title: 'Timetable changes and cover for absent staff',
      subject: 'timetables and cover',
      description:
        'When someone is absent or a room is lost, possible covers are proposed with their consequences, and everyone concerned learns of it at once.',
      currentState:
        'A deputy sits with the plan at half past six, makes calls, writes on a board, and students still wait at the wrong door.',
      potentialState:
        'Absences are reported on a phone, the plan proposes two fair options, and one click informs staff, students and displays.',
      impact: 'medium',
      effort: 'medium',
      category: 'operations',
      hours: hoursSaved({ count: 7, unit: 'changes', per: 'day', minutes: 18, removed: [45, 65] }),
      automationApproach: terms(`absence reports in one place, rules for fair distribution of cover,
        notices sent from the timetable itself`),
      recommendedTools: ['Untis', 'Edval', 'aSc Timetables'],
      watchOut:
        'Fairness has to be visible, or the software gets the blame for an old quarrel; publish the count of covers for each person.',
      measure: 'the minutes from report to published cover, and lessons that were lost',
      topics:
        terms(`timetable, timetabling, schedule, scheduling, cover, substitute, substitution, rooms, staff absence, calendar,
        booking, classes, planning`),
    },
    {
      id: 'fees-reminders',
      title: 'Fees, plans and friendly reminders',
      subject: 'fee collection',
      description:
        'Fees are billed from enrollment data, payment plans run by themselves, and reminders go out before the debt is large.',
      currentState:
        'The office compares bank lines with a spreadsheet, sends letters at the end of term, and teachers are asked to mention it.',
      potentialState:
        'Families choose a plan, payments are matched on arrival, and only those who ask for help or fall behind twice reach a person.',
      impact: 'medium',
      effort: 'low',
      category: 'finance',
      hours: hoursSaved({ count: 260, unit: 'invoices', per: 'month', minutes: 8, removed: [50, 75] }),
      automationApproach: terms(`invoices created from enrollment, automatic matching of payments,
        reminders with a link to pay or to ask for a plan`),
      recommendedTools: ['FACTS', 'Blackbaud Tuition Management', 'Stripe'],
      watchOut:
        'A reminder that reaches a family in hardship does harm, so the first message should offer a conversation.',
      measure: 'the share of fees paid on time, and hours spent matching payments',
      topics:
        terms(`fees, tuition, tuition fees, billing, invoices, payment, payments, reminders, payment plan, finance, collections,
        scholarship, late payment`),
    },
  ],
  workflows: [
    {
      name: 'From inquiry to first day',
      description: 'A family or learner asks, visits, applies and is enrolled.',
      steps: [
        manual('Answer the question', 'Someone reads the shared mailbox.'),
        manual('Arrange a visit', 'Dates go back and forth by phone.'),
        manual('Collect papers', 'Certificates and forms arrive in pieces.'),
        manual('Decide', 'Staff look at the file.'),
        automatic('Create the account', 'The student system sends log-in details.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'Families learn of their state by calling.',
    },
    {
      name: 'From assignment to learning',
      description: 'Work is set, handed in, commented and improved.',
      steps: [
        manual('Set', 'The teacher writes the task.'),
        automatic('Hand in', 'Students upload to the learning platform.'),
        manual('Comment', 'Each piece is read and annotated.'),
        manual('Return', 'Marks are entered in two systems.'),
        manual('Improve', 'Students act on the comment, or do not.'),
      ],
      isDeterministic: false,
      automationPotential: 'medium',
      currentState: 'The comment comes so late that improving is left out.',
    },
    {
      name: 'Morning register',
      description: 'The school knows within an hour who is missing and why.',
      steps: [
        manual('Call the register', 'Teachers mark each class.'),
        automatic('List absences', 'The system shows unexplained ones.'),
        manual('Call homes', 'The office phones one by one.'),
        manual('Enter reasons', 'Codes are typed into the register.'),
      ],
      isDeterministic: true,
      automationPotential: 'high',
      currentState: 'The list is complete around noon, when it helps least.',
    },
  ],
  painPoints: [
    {
      title: 'Feedback that comes too late to matter',
      detail:
        'Students learn from a comment while the task is still in their heads; after two weeks it is a mark and no longer advice.',
      sign: 'Inspection reports or parent reviews mention marking and feedback.',
    },
    {
      title: 'Teachers who do office work',
      detail:
        'Lists, letters and double entries take hours from preparation, and workload is among the reasons teachers give for leaving.',
      sign: 'There are several open teaching posts, and job ads promise less administration.',
    },
    {
      title: 'Families who decide elsewhere while waiting for an answer',
      detail:
        'Choosing a school or course is a matter of a few evenings, and an answer after four days meets a decision already made.',
      sign: 'The website offers only a printable form or a general mailbox for admissions.',
    },
    {
      title: 'The same data in four systems',
      detail:
        'Register, learning platform, accounts and mailing list each hold their own version of a student, and every change of address has to be made four times.',
      sign: 'Parents are asked to use several apps with separate log-ins.',
    },
  ],
  buyers: educationBuyers,
  quickWins: educationQuickWins,
  facts: [
    'Comments help most when they name one next step and come before the next task, so speed is part of their quality.',
    'In the United States, FERPA protects education records, which means a tool that reads student work needs an agreement with the school and not only a teacher’s account.',
    'A booking page for visits is used in the evening, when parents are home and the office is closed.',
    'Material that one teacher improves is seldom used by the next, because it is saved where only its author would look.',
  ],
}
