import { answerTasks } from '../../threads/answer-tasks.ts';
import { threadTasks } from './check-threads.ts';

answerTasks(threadTasks);
