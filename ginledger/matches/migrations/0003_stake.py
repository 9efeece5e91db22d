from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("matches", "0002_live_links")]

    operations = [
        migrations.AddField(
            model_name="match",
            name="stake",
            field=models.JSONField(null=True),
        ),
        migrations.AddField(
            model_name="match",
            name="stake_done_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
    ]
