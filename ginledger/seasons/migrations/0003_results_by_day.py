from datetime import date

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("clubs", "0003_people"),
        ("matches", "0004_match_life"),
        ("seasons", "0002_kept_results"),
    ]

    # Nothing was kept in the table before this.
    operations = [
        migrations.AlterModelOptions(
            name="handresult",
            options={"ordering": ["played_on", "match", "position", "table"]},
        ),
        migrations.RemoveField(model_name="handresult", name="side"),
        migrations.AddField(
            model_name="handresult",
            name="played_on",
            field=models.DateField(default=date(1970, 1, 1)),
            preserve_default=False,
        ),
        migrations.AlterField(
            model_name="handresult",
            name="club",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="clubs.club",
            ),
        ),
        migrations.AlterField(
            model_name="handresult",
            name="kind",
            field=models.CharField(blank=True, max_length=10),
        ),
        migrations.AlterField(
            model_name="handresult",
            name="match",
            field=models.ForeignKey(
                db_index=False,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="results",
                to="matches.match",
            ),
        ),
        migrations.AddIndex(
            model_name="handresult",
            index=models.Index(
                fields=["club", "played_on", "match", "position", "table"],
                name="seasons_results_by_day",
            ),
        ),
    ]
