import { folderTasks } from './tasks.ts';
import { answerTasks } from '../threads/answer-tasks.ts';

answerTasks(folderTasks);
