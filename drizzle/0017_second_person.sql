CREATE TABLE "second_person_requests" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "second_person_requests_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"subject" text NOT NULL,
	"details" jsonb NOT NULL,
	"reason" text NOT NULL,
	"requested_by" uuid NOT NULL,
	"requested_at" timestamp (3) with time zone NOT NULL,
	"decision" text,
	"decided_by" uuid,
	"decided_at" timestamp (3) with time zone,
	"is_alone" boolean DEFAULT false NOT NULL,
	CONSTRAINT "second_person_requests_kind" CHECK ("second_person_requests"."kind" in ('write_off')),
	CONSTRAINT "second_person_requests_reason" CHECK (length("second_person_requests"."reason") between 1 and 500),
	CONSTRAINT "second_person_requests_decision" CHECK ("second_person_requests"."decision" in ('confirmed', 'declined', 'withdrawn', 'lapsed')),
	CONSTRAINT "second_person_requests_decided" CHECK (("second_person_requests"."decision" is null) = ("second_person_requests"."decided_at" is null) and ("second_person_requests"."decided_by" is null) = (coalesce("second_person_requests"."decision", 'lapsed') = 'lapsed')),
	CONSTRAINT "second_person_requests_two_people" CHECK ("second_person_requests"."decision" is distinct from 'confirmed' or ("second_person_requests"."decided_by" = "second_person_requests"."requested_by") = "second_person_requests"."is_alone"),
	CONSTRAINT "second_person_requests_alone" CHECK (not "second_person_requests"."is_alone" or "second_person_requests"."decision" = 'confirmed')
);
--> statement-breakpoint
ALTER TABLE "project_rounds" DROP CONSTRAINT "project_rounds_outcome";--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_requested_by_users_id_fk" FOREIGN KEY ("requested_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "second_person_requests" ADD CONSTRAINT "second_person_requests_decided_by_users_id_fk" FOREIGN KEY ("decided_by") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "second_person_requests_one_open" ON "second_person_requests" USING btree ("kind","subject") WHERE "second_person_requests"."decision" is null;--> statement-breakpoint
CREATE INDEX "second_person_requests_of_user" ON "second_person_requests" USING btree ("requested_by");--> statement-breakpoint
CREATE INDEX "second_person_requests_of_subject" ON "second_person_requests" USING btree ("kind","subject");--> statement-breakpoint
ALTER TABLE "project_rounds" ADD CONSTRAINT "project_rounds_outcome" CHECK ("project_rounds"."outcome" in ('funded', 'not_funded', 'written_off'));