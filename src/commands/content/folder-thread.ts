import { folderTasks } from '../../content/sync/tasks.ts';
import { answerTasks } from '../../threads/answer-tasks.ts';

answerTasks(folderTasks);
