using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;

namespace MgbaBridge.Gateway.Tests.Fleet;

/// <summary>The statements of connections whose connection string has a setting, as Npgsql traces them.</summary>
internal sealed class Statements : IDisposable
{
    private readonly ActivityListener _listener;

    public Statements(string setting)
    {
        _listener = new ActivityListener
        {
            ShouldListenTo = static source => source.Name == "Npgsql",
            Sample = static (ref _) => ActivitySamplingResult.AllData,
            ActivityStopped = activity =>
            {
                if (activity.GetTagItem("db.query.text") is string sql && $"{activity.GetTagItem("db.npgsql.data_source")};".Contains($"{setting};", StringComparison.Ordinal))
                {
                    All.Enqueue((sql, activity.Duration, Convert.ToInt64(activity.GetTagItem("db.npgsql.rows"), CultureInfo.InvariantCulture)));
                }
            },
        };
        ActivitySource.AddActivityListener(_listener);
    }

    public ConcurrentQueue<(string Sql, TimeSpan Took, long Rows)> All { get; } = [];

    public void Dispose() => _listener.Dispose();
}
