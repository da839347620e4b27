CREATE TABLE "owner_terms" (
	"id" bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "owner_terms_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"user_id" uuid NOT NULL,
	"since" timestamp (3) with time zone NOT NULL,
	"until" timestamp (3) with time zone,
	CONSTRAINT "owner_terms_until" CHECK ("owner_terms"."until" >= "owner_terms"."since")
);
--> statement-breakpoint
ALTER TABLE "owner_terms" ADD CONSTRAINT "owner_terms_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "owner_terms_one_open" ON "owner_terms" USING btree ("user_id") WHERE "owner_terms"."until" is null;--> statement-breakpoint
CREATE INDEX "owner_terms_by_end" ON "owner_terms" USING btree ("until");